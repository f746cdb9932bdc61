"""The few keys that are read from TOML files: a wrong value means the default, and says so.

tomllib is imported only where a file is really there, because it is dear at start-up.
"""

import os
from collections.abc import Mapping

from gemba_core.frame.vocabulary import MODES, SOURCES

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}

Problem = str | None


def seconds(text: str) -> float | None:
    """`90`, `90s`, `10m`, `2h`, `7d` as seconds; None where it is no such thing or not above 0."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
    try:
        value = float(number) * _UNITS[unit]
    except ValueError:
        return None
    return value if 0 < value < float("inf") else None


def mode_of_agent(path: str, agent: str) -> tuple[str | None, Problem]:
    """The `interaction_mode` of that agent's `[[agent]]` entry (by name or binary)."""
    table, problem = _load(path)
    if problem:
        return None, problem
    entry = _agent(table, agent)
    if entry is None:
        return None, f"{path}: no [[agent]] named {agent!r}: taking balanced"
    mode = entry.get("interaction_mode")
    if mode in MODES:
        return str(mode), None
    return None, f"{path}: agent {agent!r} has no valid interaction_mode: taking balanced"


def inbox_patience(path: str, agent: str, key: str) -> float | None:
    """How long the agent's hook waits for the inbox, in seconds; 0: the default.

    `key` is `permissions` or `questions`. None where the agent's own dialog
    decides, which is the default.
    """
    entry = _agent(_load(path)[0], agent)
    if entry is None or entry.get(key) != "inbox":
        return None
    patience = entry.get("permission_timeout", 0)
    return float(patience) if isinstance(patience, int | float) and patience > 0 else 0.0


def wait_timeout(path: str) -> tuple[float | None, Problem]:
    """`wait_timeout` of the `[ask]` table in the operator's configuration, in seconds."""
    return _duration(path, "ask", "wait_timeout")


def idle_timeout(path: str) -> tuple[float | None, Problem]:
    """`idle_timeout` of the `[orchestration]` table in the operator's configuration, in seconds."""
    return _duration(path, "orchestration", "idle_timeout")


def agents_may_answer(path: str) -> tuple[frozenset[str], Problem]:
    """The sources that an agent may settle for another session (`agents_may_answer`)."""
    table, problem = _load(path)
    listed = table.get("agents_may_answer", [])
    if not isinstance(listed, list) or any(item not in SOURCES for item in listed):
        return frozenset(), f"{path}: agents_may_answer must be a list of {', '.join(SOURCES)}"
    return frozenset(listed), problem


def skill_folders(path: str) -> tuple[tuple[str, ...] | None, Problem]:
    """`folders` of the `[skills]` table in the operator's configuration; None: the usual ones."""
    table, problem = _load(path)
    section = table.get("skills")
    folders = section.get("folders") if isinstance(section, dict) else None
    if folders is None:
        return None, problem
    if not isinstance(folders, list) or not all(isinstance(one, str) and one for one in folders):
        return None, f"{path}: skills.folders must be a list of folders: taking the usual ones"
    return tuple(folders), problem


def checks_handoffs(path: str) -> tuple[bool, Problem]:
    """`check` of the `[handoff]` table: whether what sub-agents return is checked; else not."""
    table, problem = _load(path)
    section = table.get("handoff")
    value = section.get("check", False) if isinstance(section, dict) else False
    if not isinstance(value, bool):
        return False, f"{path}: handoff.check must be true or false: taking false"
    return value, problem


def disabled_skills(path: str) -> tuple[frozenset[str], Problem]:
    """`disabled` of the file of switched-off skills; a malformed file switches none off."""
    table, problem = _load(path)
    names = table.get("disabled", [])
    if problem or not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        what = problem or f"{path}: disabled must be a list of names"
        return frozenset(), f"{what}; all skills are enabled until it is mended or removed"
    return frozenset(names), None


def _duration(path: str, name: str, key: str) -> tuple[float | None, Problem]:
    table, problem = _load(path)
    section = table.get(name)
    value = section.get(key) if isinstance(section, dict) else None
    if value is None:
        return None, problem
    found = seconds(str(value))
    if found is None:
        return None, f"{path}: {name}.{key} {value!r} is no duration such as 110s or 10m"
    return found, None


def _agent(table: Mapping[str, object], agent: str) -> dict[str, object] | None:
    entries = table.get("agent")
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and agent in (entry.get("name"), entry.get("binary")):
            return entry
    return None


def _load(path: str) -> tuple[Mapping[str, object], Problem]:
    if not os.path.exists(path):
        return {}, None
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file), None
    except (OSError, ValueError) as problem:
        return {}, f"{path}: not read ({problem}): taking the defaults"
