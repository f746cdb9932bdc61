"""What a tool call touches: by the tool's own keys, or by whatever looks like a path."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from gemba_core.clients.client import Client, Tool
from gemba_core.surface import words
from gemba_core.surface.patch import touches_of_patch
from gemba_core.surface.touch import Touch

_COMMAND_KEYS = ("command", "cmd")
_PATH_LIKE = re.compile(r"(/|~|\.\.?/|\.\.$)[^\n\r]*\Z")
_PLAIN = re.compile(r"(?!\w+://)\S+")
_URI = "file://"
_WILD = re.compile(r"[*?\[{]")


def touches_of_call(
    client: Client, name: str, given: Mapping[str, Any], folder: str
) -> Iterator[Touch]:
    """All that the call is known to touch; relative paths are seen from `folder`."""
    tool = client.tools.get(name)
    if tool is None or not _fits(tool, given):
        yield from _of_unknown(given, folder)
        return
    for key in tool.writes:
        yield from (Touch(path, folder, is_write=True) for path in _texts(given.get(key)))
    for key in tool.reads:
        yield from (Touch(path, folder) for path in _texts(given.get(key)))
    if tool.searches:
        yield from _of_search(tool, given, folder)
    if tool.patches:
        for text in _texts(list(given.values())):
            yield from touches_of_patch(text, folder)
    if tool.runs:
        yield from _of_command(given, folder)


def _fits(tool: Tool, given: Mapping[str, Any]) -> bool:
    """Whether it names its paths as we know it; a client's new version may not."""
    needed = (*tool.writes, *tool.reads)
    if tool.runs:
        needed = _COMMAND_KEYS
    elif tool.patches:
        return any(any(touches_of_patch(text, "")) for text in _texts(list(given.values())))
    return not needed or any(any(_texts(given.get(key))) for key in needed)


def _of_search(tool: Tool, given: Mapping[str, Any], folder: str) -> Iterator[Touch]:
    """A search: the folder that it begins in, and where its patterns lead from there."""
    starts = [path for key in tool.searches for path in _texts(given.get(key))] or ["."]
    patterns = [path for key in tool.patterns for path in _texts(given.get(key))]
    for start in starts:
        yield from _beginning(start, folder)
        for pattern in patterns:
            yield from _beginning(pattern, os.path.join(folder, os.path.expanduser(start)))


def _beginning(pattern: str, folder: str, *, is_write: bool = False) -> Iterator[Touch]:
    """Where the literal beginning of a pattern leads to, and all that lies below."""
    for word in words.alternatives(pattern):
        wild = _WILD.search(word)
        end = len(word) if wild is None else word.rfind("/", 0, wild.start()) + 1
        start = word[:end] or "."
        yield Touch(start, folder, is_write, is_deep=True)
        # What stands behind a wildcard leads out by `..` alone.
        if ".." in word[end:].split("/"):
            yield Touch(f"{start}/..", folder, is_write, is_deep=True)


def _of_command(given: Mapping[str, Any], folder: str) -> Iterator[Touch]:
    # Imported here: only a call of a shell pays for the parser.
    from gemba_core.surface.shell import touches_of_shell

    for key in ("workdir", "directory", "dir_path"):
        for path in _texts(given.get(key)):
            yield Touch(path, folder)
            folder = os.path.join(folder, os.path.expanduser(path))
    for key in _COMMAND_KEYS:
        command = given.get(key)
        if isinstance(command, str):
            yield from touches_of_shell(command, folder)
        elif isinstance(command, list):
            yield from touches_of_shell(shlex.join(map(str, command)), folder)


def _of_unknown(given: Mapping[str, Any], folder: str) -> Iterator[Touch]:
    """Nobody knows what the tool does with a path, so it must be one that may be written."""
    yield from _of_command(given, folder)
    others = {key: value for key, value in given.items() if key not in _COMMAND_KEYS}
    for text in _texts(list(others.values())):
        path = text.removeprefix(_URI)
        if path != text or _PATH_LIKE.match(text) or _leads_somewhere(text, folder):
            yield from _beginning(path, folder, is_write=True)
    for text in _texts(list(given.values())):
        yield from touches_of_patch(text, folder)


def _leads_somewhere(text: str, folder: str) -> bool:
    """Whether a text without blanks is a path by its `..`, or by a first part that is there."""
    if _PLAIN.fullmatch(text) is None:
        return False
    parts = text.split("/")
    return ".." in parts or os.path.lexists(os.path.join(folder, parts[0]))


def _texts(value: object) -> Iterator[str]:
    """The strings in it, at any depth."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
