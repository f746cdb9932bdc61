"""Codex CLI. Tried with 0.169.0: see docs/install.md, "Codex"."""

import os
import shlex
from collections.abc import Mapping
from functools import partial
from typing import Any

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.install import codex_trust, files, toml_list
from gemba_core.install.client import SHORT, USUAL, WAITING, Client, Edit, Part, Scope
from gemba_core.install.merge import Entry
from gemba_core.install.unfit import Unfit

_TABLE, _KEY = "sandbox_workspace_write", "writable_roots"
_KNOWN = ("description", "hooks")
_EVENTS = {
    "SessionStart": USUAL,
    # It allows no more than 3 seconds for these two, and says so where more is asked.
    "SessionEnd": SHORT,
    "Interrupt": SHORT,
    "UserPromptSubmit": USUAL,
    "PreToolUse": USUAL,
    "PermissionRequest": WAITING,
    "PostToolUse": USUAL,
    "SubagentStart": USUAL,
    "SubagentStop": USUAL,
    "Stop": USUAL,
}
_TRUST = (
    "Codex runs a hook only once you trust it: start codex, and choose “Trust all and continue” "
    "where it says that hooks need review, or type /hooks"
)
_PROJECT = (
    "Codex reads .codex/ only in a folder that it trusts: say yes when it asks at its start there"
)


def _entry(command: str, event: str, seconds: int) -> Entry:
    # Run through a shell. Unknown keys are taken without a word, `args` among them.
    words = f"{shlex.quote(command)} {event}"
    return {"type": "command", "command": words, "timeout": seconds}


def _folder(scope: Scope, folder: str) -> str:
    return home.codex_dir() if scope == "user" else os.path.join(folder, ".codex")


def _settings(scope: Scope, folder: str) -> str:
    return os.path.join(_folder(scope, folder), "hooks.json")


def _config() -> str:
    return os.path.join(home.codex_dir(), "config.toml")


def _instructions(scope: Scope, folder: str) -> str:
    return os.path.join(home.codex_dir() if scope == "user" else folder, "AGENTS.md")


def _sandbox(scope: Scope, folder: str, writable: str) -> tuple[Edit, ...]:
    """Always the person's own file; a project's list, which replaces that one, where it has one."""
    paths = [_config()]
    project = os.path.join(folder, ".codex", "config.toml")
    if scope == "project" and _sets_roots(project):
        paths.append(project)
    part = Part(
        partial(toml_list.put_item, table=_TABLE, key=_KEY, item=writable),
        lambda text, original: toml_list.take_item(text, _TABLE, _KEY, writable, original),
    )
    return tuple(Edit(path, (part,)) for path in paths)


def _sets_roots(path: str) -> bool:
    data = files.read(path)
    if data is None:
        return False
    try:
        return toml_list.has_key(files.decoded(path, data), _TABLE, _KEY)
    except Unfit as error:
        raise GembaError(f"{path}:{error.line}: {error.what}; nothing was changed") from error


def _switched_off(settings: Mapping[str, Any]) -> str | None:
    foreign = [repr(key) for key in settings if key not in _KNOWN]
    return f"Codex does not know the key {' and '.join(foreign)} there" if foreign else None


def _untrusted(path: str) -> str | None:
    events = codex_trust.untrusted(path, _EVENTS, _config())
    if not events:
        return None
    which = "these hooks" if len(events) == len(_EVENTS) else f"the hooks at {', '.join(events)}"
    return f"Codex has not noted that you trust {which}, and does not run them"


CODEX = Client(
    name="codex",
    title="Codex",
    events=_EVENTS,
    entry=_entry,
    settings=_settings,
    is_shared=True,
    instructions=_instructions,
    sandbox=_sandbox,
    switched_off=_switched_off,
    untrusted=_untrusted,
    afterwards={"user": (_TRUST,), "project": (_PROJECT, _TRUST)},
)
