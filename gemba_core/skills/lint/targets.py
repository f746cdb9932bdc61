"""The files that are linted, of the files and folders that were named."""

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch

from gemba_core.skills.document import read_bytes
from gemba_core.skills.folders import USUAL, of_workspace
from gemba_core.skills.lint.subject import STANDARD_NAME

_NOT_ENTERED = frozenset({".git", ".venv", "node_modules", "__pycache__"})
# Of Gemba's format, or meant to be.
_KEYS = (b"\nvariety:", b"\nskill_id:")


def own_folders(workspace: str) -> list[str]:
    """Where a workspace keeps its skills, as paths seen from it: `skills`, and those of clients."""
    found = [folder.path for folder in of_workspace(workspace, ("skills", *USUAL))]
    return [os.path.relpath(path, workspace) for path in found]


def targets(paths: Iterable[str], exclude: Iterable[str] = ()) -> Iterator[str]:
    """Each file once, in order. A file that was named is taken as it is.

    Of a folder: each `SKILL.md`, each markdown file of a `skills` folder but its
    README, and any other whose front matter has a variety or a skill_id.
    `exclude` are patterns of paths, for folders and for what is in them.
    """
    patterns = tuple(exclude)
    seen = set()
    for path in paths:
        for one in _within(path, patterns) if os.path.isdir(path) else (path,):
            if (real := os.path.realpath(one)) not in seen:
                seen.add(real)
                yield one


def _within(root: str, exclude: tuple[str, ...]) -> Iterator[str]:
    entered = set()
    for folder, folders, files in os.walk(root, followlinks=True):
        if (real := os.path.realpath(folder)) in entered or _is_excluded(folder, exclude):
            folders.clear()
            continue
        entered.add(real)
        folders[:] = sorted(set(folders) - _NOT_ENTERED)
        if STANDARD_NAME in files:
            folders.clear()
            files = [STANDARD_NAME]
        for name in sorted(files):
            path = os.path.normpath(os.path.join(folder, name))
            if name.endswith(".md") and not _is_excluded(path, exclude) and _is_skill(path):
                yield path


def _is_excluded(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(path, pattern) or fnmatch(path, f"*/{pattern}") for pattern in patterns)


def _is_skill(path: str) -> bool:
    folder, name = os.path.split(os.path.abspath(path))
    if name == STANDARD_NAME:
        return True
    if name.lower() == "readme.md":
        return False
    if "skills" in folder.split(os.sep)[-2:]:
        return True
    try:
        front = read_bytes(path).partition(b"\n---")[0]
    except OSError:
        return True  # told when it is linted
    return front.lstrip(b"\xef\xbb\xbf").startswith(b"---") and any(key in front for key in _KEYS)
