"""What each command imports before it does anything: agents pay for it at every call."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gemba_core import home
from tests.commands import environment
from tests.inbox.scene import ask
from tests.skills.mentions.library import write

# Dear ones, each a fifth to a half of the time that a bare interpreter with json takes.
DEAR = {
    "asyncio",
    "contextlib",
    "dataclasses",
    "datetime",
    "hashlib",
    "importlib.metadata",
    "inspect",
    "logging",
    "pathlib",
    "platform",
    "random",
    "secrets",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "tomllib",
    "typing",
    "uuid",
}
OPERATORS = {
    "immutables",
    "msgspec",
    "pydantic",
    "rich",
    "sqlite3",
    "tomli_w",
    "watchfiles",
    "yaml",
}
# What only `gemba serve` may import: it is an extra.
SERVER = {"fastapi", "sse_starlette", "starlette", "uvicorn"}


def imported(code: str, *args: str, env: dict[str, str] | None = None, input: str = "") -> set[str]:
    """The modules that are there after the code has run, its own exit included."""
    # Not the venv's own start-up: it imports what an installed Gemba never sees.
    report = f"""
import sys
before = set(sys.modules)
sys.argv = {["gemba", *args]!r}
try:
    exec({code!r})
except SystemExit:
    pass
import json, os
os.write(2, b"MODULES" + json.dumps(sorted(set(sys.modules) - before)).encode())
"""
    done = subprocess.run(
        [sys.executable, "-c", report],
        env=environment(env),
        input=input,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stderr.rpartition("MODULES")[2]))


# Click brings some of its own modules only where a command is made.
CLICK = 'import click, json; click.command()(click.version_option("1")(lambda: None))'


def roots(modules: set[str]) -> set[str]:
    """The packages that they belong to."""
    return {module.partition(".")[0] for module in modules}


def bare() -> set[str]:
    """What an interpreter with json has anyway."""
    return imported("import json, os, sys")


def test_the_bridge_imports_the_standard_library_and_little_of_it() -> None:
    """Nothing beyond json, os and sys but what its work needs: files and locks."""
    extra = imported("import gemba_bridge.cli") - bare()
    foreign = {name for name in extra if not name.startswith(("gemba_bridge", "gemba_core"))}
    assert foreign <= {"errno", "fcntl", "time"}


@pytest.mark.parametrize(
    ("hook", "env"),
    [
        ("PreToolUse", {"GEMBA_SESSION_ID": "s1"}),
        ("SessionStart", {"GEMBA_SESSION_ID": "s1", "TMUX": "/t,1,0", "TMUX_PANE": "%1"}),
        ("UserPromptSubmit", {"GEMBA_SESSION_ID": "s1"}),
        ("Stop", {}),
    ],
)
def test_a_whole_hook_call_imports_nothing_dear(hook: str, env: dict[str, str]) -> None:
    """Recorded, recorded with its processes, or refused."""
    used = imported("from gemba_bridge.cli import main; main()", hook, env=env)
    assert not (used - bare()) & DEAR
    assert not roots(used) & (OPERATORS | {"click"})


def test_a_prompt_without_a_dollar_sign_knows_nothing_of_skills() -> None:
    """It costs what every hook call costs."""
    used = _prompted("Use the test key.")
    assert not any(name.startswith(("gemba_core.skills", "gemba_bridge.skills")) for name in used)


def test_a_mention_of_a_skill_that_was_read_before_needs_no_yaml(tmp_path: Path) -> None:
    """Nor models, nor a decoder; the cache has what its file says."""
    write(tmp_path, "tdd")
    assert "yaml" in roots(_prompted("Use $tdd.", tmp_path))
    used = _prompted("Use $tdd.", tmp_path)
    assert "gemba_core.skills.registry" in used
    assert not roots(used) & (OPERATORS | {"click", "pathlib", "tomllib"})


def _prompted(text: str, workspace: Path = Path("/")) -> set[str]:
    """What a prompt's hook imports."""
    call = json.dumps({"session_id": "c", "cwd": str(workspace), "prompt": text})
    code, env = "from gemba_bridge.cli import main; main()", {"GEMBA_SESSION_ID": "s1"}
    return imported(code, "UserPromptSubmit", env=env, input=call)


@pytest.mark.parametrize(
    "package", ["gemba_ask.cli", "gemba_state.cli"], ids=["gemba-ask", "gemba-state"]
)
def test_asking_and_reporting_add_click_alone(package: str) -> None:
    """What click itself imports, and Gemba's own small rooms."""
    extra = imported(f"import {package}") - imported(CLICK)
    foreign = {name for name in extra if not name.startswith("gemba_")}
    assert foreign <= {"errno", "fcntl", "time"}
    assert not any(name.startswith(("gemba_core.translator", "gemba_core.index")) for name in extra)


@pytest.mark.parametrize(
    ("code", "args"),
    [
        (
            "from gemba_ask.cli import main; main()",
            ("--kind", "question", "--role", "coach", "--text", "x"),
        ),
        ("from gemba_state.cli import main; main()", ("ready",)),
    ],
)
def test_a_whole_call_of_a_sentinel_imports_nothing_of_the_operators(
    code: str, args: tuple[str, ...]
) -> None:
    """No decoder, no database, no translator; no TOML where there is no such file."""
    used = imported(code, *args, env={"GEMBA_SESSION_ID": "s1"})
    assert not roots(used) & OPERATORS
    assert not (used - imported(CLICK)) & DEAR
    assert "gemba_core.translator" not in used


def test_a_wait_imports_the_translator_and_no_database() -> None:
    """It folds its own log; the index is none of its business."""
    args = ("--kind", "question", "--role", "coach", "--text", "x", "--wait", "--timeout", "0.1")
    used = imported("from gemba_ask.cli import main; main()", *args, env={"GEMBA_SESSION_ID": "s1"})
    assert "gemba_core.translator" in used
    assert not roots(used) & (OPERATORS - {"msgspec", "immutables"})
    assert "gemba_core.index" not in used


def test_listing_for_programs_imports_no_tables_and_no_watching() -> None:
    """`gemba escalations list --json` is asked often, by status lines and scripts."""
    ask()
    used = imported("from gemba.cli import main; main()", "escalations", "list", "--json")
    assert "gemba_core.index" in used
    assert not roots(used) & {"rich", "pydantic", "watchfiles", "yaml", "tomli_w", "subprocess"}
    assert not roots(used) & SERVER
    assert not any(name.startswith(("gemba_core.panes", "gemba_core.inbox.live")) for name in used)


@pytest.mark.parametrize("words", [("--help",), ("serve", "--help"), ("escalations", "--help")])
def test_help_imports_no_server(words: tuple[str, ...]) -> None:
    """It is there for those who have not installed it."""
    assert not roots(imported("from gemba.cli import main; main()", *words)) & SERVER


def test_the_table_imports_no_watching() -> None:
    """`gemba escalations list` pays for the table alone."""
    ask()
    used = roots(imported("from gemba.cli import main; main()", "escalations", "list"))
    assert "rich" in used
    assert not used & {"pydantic", "watchfiles", "yaml", "subprocess"}


@pytest.mark.parametrize("hook", ["PreToolUse", "BeforeTool"])
def test_without_a_surface_the_guard_costs_no_import(hook: str) -> None:
    """Nothing more than the same hook call imports that is never guarded."""
    code, env = "from gemba_bridge.cli import main; main()", {"GEMBA_SESSION_ID": "s1"}
    assert imported(code, hook, env=env) == imported(code, "SubagentStart", env=env)


def test_the_guard_imports_a_parser_for_shell_commands_alone(tmp_path: Path) -> None:
    """And no decoder, no database and no models for any call."""
    surface = Path(home.surface_path("s1"))
    surface.parent.mkdir(parents=True)
    surface.write_text('{"read": ["/"], "write": []}')
    code, env = "from gemba_bridge.cli import main; main()", {"GEMBA_SESSION_ID": "s1"}
    read = imported(code, "PreToolUse", env=env, input=_call("Read", file_path="/etc/passwd"))
    assert "gemba_core.surface.calls" in read
    assert not roots(read) & (OPERATORS | {"click", "tree_sitter", "tree_sitter_bash"})
    run = imported(code, "PreToolUse", env=env, input=_call("Bash", command="ls /"))
    assert {"tree_sitter", "tree_sitter_bash"} <= roots(run)


def _call(tool: str, **given: str) -> str:
    return json.dumps({"tool_name": tool, "tool_input": given, "cwd": "/"})
