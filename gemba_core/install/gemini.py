"""Gemini CLI. Source: its hooks reference."""

import os
import shlex
from collections.abc import Mapping
from typing import Any

from gemba_core import home
from gemba_core.install.client import SHORT, USUAL, Client, Edit, Scope
from gemba_core.install.merge import Entry

_AFTERWARDS = (
    "Gemini CLI reads its settings when it starts: start it again; /hooks lists what it found",
)


def _entry(command: str, event: str, seconds: int) -> Entry:
    # Run through a shell; its time is in milliseconds.
    words = f"{shlex.quote(command)} {event}"
    return {"type": "command", "command": words, "timeout": seconds * 1000}


def _settings(scope: Scope, folder: str) -> str:
    own = home.gemini_dir() if scope == "user" else os.path.join(folder, ".gemini")
    return os.path.join(own, "settings.json")


def _instructions(scope: Scope, folder: str) -> str:
    return os.path.join(home.gemini_dir() if scope == "user" else folder, "GEMINI.md")


def _sandbox(_: Scope, __: str, ___: str) -> tuple[Edit, ...]:
    return ()  # its sandbox is set by environment variables, not by these settings


def _switched_off(settings: Mapping[str, Any]) -> str | None:
    for table in ("hooksConfig", "hooks"):
        section = settings.get(table)
        if isinstance(section, dict) and section.get("enabled") is False:
            return f"{table}.enabled is false"
    return None


GEMINI = Client(
    name="gemini",
    title="Gemini CLI",
    events={
        "SessionStart": USUAL,
        "SessionEnd": SHORT,
        "BeforeAgent": USUAL,
        "AfterAgent": USUAL,
        "BeforeTool": USUAL,
        "AfterTool": USUAL,
        "Notification": USUAL,
    },
    entry=_entry,
    settings=_settings,
    is_shared=True,
    instructions=_instructions,
    sandbox=_sandbox,
    switched_off=_switched_off,
    untrusted=lambda _: None,
    afterwards={"user": _AFTERWARDS, "project": _AFTERWARDS},
)
