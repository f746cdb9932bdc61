"""What was read of a folder's skills before: a hint, believed while mtime and size are the same."""

import json
from contextlib import suppress
from typing import Any

from gemba_core.home import skill_cache_path, write_private
from gemba_core.skills.folder import Entry
from gemba_core.skills.skill import Said

# Raised when `said` reads files in another way than before.
_FORMAT = 2


class Cache:
    """The cached texts of one folder. A file that is not as we write it counts as empty."""

    def __init__(self, folder: str) -> None:
        self._path = skill_cache_path(folder)
        self._before = _rows(self._path)
        self._now: dict[str, list[Any]] = {}
        self._is_newer = False

    def get(self, entry: Entry) -> Said | None:
        """What the file said, if it is as it was."""
        row = self._before.get(entry.path)
        if row is None or row[:2] != [entry.mtime_ns, entry.size]:
            return None
        self._now[entry.path] = row
        return checked(row[2:])

    def put(self, entry: Entry, said: Said) -> None:
        """Keep what the file says."""
        self._now[entry.path] = [entry.mtime_ns, entry.size, *said]
        self._is_newer = True

    def save(self) -> None:
        """Write it, if something changed; where that is not possible it stays as it was."""
        if not self._is_newer and len(self._now) == len(self._before):
            return
        whole = {"format": _FORMAT, "files": self._now}
        with suppress(OSError):
            write_private(self._path, json.dumps(whole, separators=(",", ":")).encode())


def _rows(path: str) -> dict[str, list[Any]]:
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        return {}
    rows = found.get("files")
    if not isinstance(rows, dict) or not all(isinstance(row, list) for row in rows.values()):
        return {}
    return rows


def checked(row: list[Any]) -> Said | None:
    """The row as what it should be; None if it is something else."""
    if len(row) != 8:
        return None
    name, variety, description, lifecycle, replaced_by, aliases, tools, problem = row
    texts = (name, description, lifecycle)
    perhaps = (variety, replaced_by, problem)
    if not all(isinstance(one, str) for one in texts):
        return None
    if not all(one is None or isinstance(one, str) for one in perhaps):
        return None
    if not _is_list(aliases) or not (tools is None or _is_list(tools)):
        return None
    narrowed = None if tools is None else tuple(tools)
    return (
        name,
        variety,
        description,
        lifecycle,
        replaced_by,
        tuple(aliases),
        narrowed,
        problem,
    )


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
