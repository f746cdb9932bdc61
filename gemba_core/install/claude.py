"""Claude Code. Source: its settings and hooks references, and its changelog up to 2.1.240."""

import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from gemba_core import home
from gemba_core.install import merge
from gemba_core.install.client import SHORT, USUAL, WAITING, Client, Edit, Part, Scope
from gemba_core.install.merge import Entry

_ALLOWED = ("sandbox", "filesystem", "allowWrite")
# Before 2.1.101 one unknown event made it skip the whole file; `args` came with 2.1.139.
_AFTERWARDS = (
    "Claude Code 2.1.139 or newer is needed (claude --version); sessions that run now see the "
    "hooks when they are started again, and /hooks lists them",
)


def _entry(command: str, event: str, seconds: int) -> Entry:
    # With args it is run without a shell: nothing needs quoting.
    return {"type": "command", "command": command, "args": [event], "timeout": seconds}


def _settings(scope: Scope, folder: str) -> str:
    if scope == "user":
        return os.path.join(home.claude_dir(), "settings.json")
    # Not settings.json: that one is committed, and the path of our program is this machine's own.
    return os.path.join(folder, ".claude", "settings.local.json")


def _instructions(scope: Scope, folder: str) -> str:
    return os.path.join(home.claude_dir() if scope == "user" else folder, "CLAUDE.md")


def _sandbox(scope: Scope, folder: str, writable: str) -> tuple[Edit, ...]:
    # The lists of all scopes are added up, and nothing is switched on by them.
    part = Part(
        partial(merge.put_item, path=_ALLOWED, item=writable),
        lambda text, original: merge.take_item(text, _ALLOWED, writable, original),
    )
    return (Edit(_settings(scope, folder), (part,), blank="{}\n"),)


def _switched_off(settings: Mapping[str, Any]) -> str | None:
    return "disableAllHooks is true" if settings.get("disableAllHooks") is True else None


CLAUDE = Client(
    name="claude",
    title="Claude Code",
    events={
        "SessionStart": USUAL,
        "SessionEnd": SHORT,
        "UserPromptSubmit": USUAL,
        "PreToolUse": WAITING,
        "PermissionRequest": WAITING,
        "PostToolUse": USUAL,
        "PostToolUseFailure": USUAL,
        "PostToolBatch": USUAL,
        "Notification": USUAL,
        "SubagentStart": USUAL,
        "SubagentStop": USUAL,
        "Stop": USUAL,
        "StopFailure": USUAL,
    },
    entry=_entry,
    settings=_settings,
    is_shared=False,
    instructions=_instructions,
    sandbox=_sandbox,
    switched_off=_switched_off,
    untrusted=lambda _: None,
    afterwards={"user": _AFTERWARDS, "project": _AFTERWARDS},
)
