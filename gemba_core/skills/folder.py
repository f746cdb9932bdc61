"""One folder of skills, and the files in it that would be skills."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

_MARKDOWN = ".md"
_STANDARD = "SKILL.md"
# Explains a folder to people.
_NO_SKILL = "readme.md"


@dataclass(frozen=True, slots=True)
class Folder:
    """Where skills lie. `source` is its own name (the client's), `namespace` that of a plugin."""

    path: str
    source: str
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that would be a skill; `problem` says why it cannot be looked at."""

    path: str
    form: str  # "gemba" or "standard"
    namespace: str | None
    mtime_ns: int = 0
    size: int = 0
    identity: tuple[int, int] | None = None  # device and inode: what two links lead to is one
    problem: str | None = None


def entries(folder: Folder) -> Iterator[Entry]:
    """One-file skills, and folders that hold a SKILL.md, by name.

    A folder without one is a namespace: it holds skills, itself or in its
    `skills`, and no further namespace. Hidden files and READMEs are no
    skills. Never raises: what cannot be read is an entry with its problem.
    """
    return _within(folder.path, folder.namespace, deeper=folder.namespace is None)


def _within(folder: str, namespace: str | None, *, deeper: bool) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as found:
            items = sorted(found, key=lambda item: item.name)
    except OSError as error:
        yield Entry(folder, "gemba", namespace, problem=_said(error))
        return
    for item in items:
        if item.name.startswith("."):
            continue
        is_file = item.name.endswith(_MARKDOWN)
        try:
            if not item.is_dir():
                if is_file and item.name.lower() != _NO_SKILL:
                    yield _entry(item.path, "gemba", namespace)
                continue
            path = os.path.join(item.path, _STANDARD)
            if os.path.lexists(path):
                yield _entry(path, "standard", namespace)
            elif deeper:
                yield from _namespace(item)
        except OSError as error:
            yield Entry(item.path, "gemba", namespace, problem=_said(error))


def _namespace(item: "os.DirEntry[str]") -> Iterator[Entry]:
    inner = os.path.join(item.path, "skills")
    folders = [item.path, inner] if os.path.isdir(inner) else [item.path]
    for folder in folders:
        yield from _within(folder, item.name, deeper=False)


def _entry(path: str, form: str, namespace: str | None) -> Entry:
    try:
        found = os.stat(path)
    except OSError as error:
        return Entry(path, form, namespace, problem=_said(error))
    identity = (found.st_dev, found.st_ino)
    return Entry(path, form, namespace, found.st_mtime_ns, found.st_size, identity)


def _said(error: OSError) -> str:
    return f"cannot be read: {error.strerror or error}"
