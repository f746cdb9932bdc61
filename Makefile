# Each target does its own set-up; a machine needs python3 (3.11 or newer) with venv, and make.
# Another interpreter: make PYTHON=python3.13 …     Arguments for a tool: make test ARGS='-k tail'

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# The clients that tests/clients runs, each pinned here and nowhere else.
CODEX := @openai/codex@0.169.0
# What tests/web/browser checks the page's accessibility with.
AXE := axe-core@4.14.1

# Says nothing while a command goes well, and everything it said once it fails.
quietly = out=$$($(1) 2>&1) || { printf '%s\n' "$$out"; exit 1; }

.DEFAULT_GOAL := help
.PHONY: help setup clients axe test torture check fix bench smoke demo clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## create .venv and install Gemba with its tools into it
	@:

# Only when the stamp is older than what it was made from. A .venv without a working pip is what an
# interrupted or failed creation leaves behind, so it is made anew.
$(STAMP): pyproject.toml constraints.txt
	@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	        echo "setup: $(PYTHON) is not Python 3.11 or newer; name one: make setup PYTHON=…" >&2; \
	        exit 1; }; \
	    echo 'setup: creating $(VENV)'; \
	    $(call quietly,$(PYTHON) -m venv --clear $(VENV)); }
	@echo 'setup: installing Gemba and its tools into $(VENV) (the first time takes a minute)'
	@$(call quietly,$(BIN)/python -m pip install --disable-pip-version-check \
	    -c constraints.txt -e '.[dev]')
	@touch $@

# In a folder of its own, and no lock file: the pinned version is what is asked for each time.
clients: ## install the real agents that the tests try, into .clients (needs npm)
	@command -v npm >/dev/null || { echo 'clients: npm is not installed' >&2; exit 1; }
	@mkdir -p .clients
	@$(call quietly,npm install --prefix .clients --no-save --no-package-lock --no-audit --no-fund \
	    $(CODEX))

axe: ## install the checker of the web page's accessibility into .axe (needs npm)
	@command -v npm >/dev/null || { echo 'axe: npm is not installed' >&2; exit 1; }
	@mkdir -p .axe
	@$(call quietly,npm install --prefix .axe --no-save --no-package-lock --no-audit --no-fund \
	    $(AXE))

test: $(STAMP) ## run the tests
	@$(BIN)/python -m pytest -q -n 3 $(ARGS)

# One at a time: each test here fills the machine by itself, and takes minutes.
torture: $(STAMP) ## run the long tests: many writers, kills, crash points
	@echo 'torture: takes some minutes'
	@$(BIN)/python -m pytest -q -m torture --timeout 1800 $(ARGS)

check: $(STAMP) ## lint, formatting, types, import layers and skills; changes nothing
	@echo 'check: lint'; $(call quietly,$(BIN)/ruff check --no-fix .)
	@echo 'check: formatting'; $(call quietly,$(BIN)/ruff format --check .)
	@echo 'check: types'; $(call quietly,$(BIN)/python -m mypy)
	@echo 'check: import layers'; $(call quietly,$(BIN)/lint-imports --no-cache)
	@echo 'check: skills'; $(call quietly,$(BIN)/gemba skills lint skills)

fix: $(STAMP) ## repair what lint and formatting can repair by themselves
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .

# Measures the built wheel, installed in an environment of its own: as it is shipped.
bench: $(STAMP) ## measure, each figure as a ratio
	@$(BIN)/python -m bench $(ARGS)

smoke: $(STAMP) ## build the wheel and try every command of it in an empty environment
	@.ci/smoke $(BIN)/python

demo: $(STAMP) ## see the main job happen for real
	@$(BIN)/python -m demo $(ARGS)

clean: ## remove what the other targets made, .venv included
	@rm -rf $(VENV) .clients .axe artifacts build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	    .import_linter_cache
	@find . -type d -name __pycache__ -prune -exec rm -rf {} +
