"""The skills of Claude Code's plugins, each below the plugin's name."""

import json
import os
from collections.abc import Iterator
from typing import Any

from gemba_core import home
from gemba_core.skills.folder import Folder


def plugins() -> Iterator[Folder]:
    """The skill folders of those that are installed and not switched off.

    What is not as Claude Code writes it is left out: the list is its own
    affair. Source: `~/.claude/plugins/installed_plugins.json`, version 2, and
    `enabledPlugins` in `~/.claude/settings.json`.
    """
    listed = _table(os.path.join(home.claude_dir(), "plugins", "installed_plugins.json"), "plugins")
    if not listed:
        return
    enabled = _table(os.path.join(home.claude_dir(), "settings.json"), "enabledPlugins")
    for name, installed in sorted(listed.items()):
        if enabled.get(name) is False or not isinstance(installed, list):
            continue
        paths = (one.get("installPath") for one in installed if isinstance(one, dict))
        for path in paths:
            if isinstance(path, str) and os.path.isabs(path):
                yield Folder(os.path.join(path, "skills"), "claude", name.partition("@")[0])


def _table(path: str, key: str) -> dict[str, Any]:
    """The object below that key of a JSON file; empty where there is none."""
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    table = found.get(key) if isinstance(found, dict) else None
    return table if isinstance(table, dict) else {}
