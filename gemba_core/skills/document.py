"""A skill's file as it stands: front matter with positions, and a body. Faults are data.

The front matter is read by another file, and only by `parse`: whoever needs
no more than the body, such as an agent's hook, does not wait for YAML.
"""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass

# Bytes. What is longer is no text for an agent; it is not read.
MAX_FILE = 1 << 20

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Position:
    """Line and column in the file, both from 1; a column is a character, the BOM is none."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Field:
    """One top-level key of the front matter.

    `value` is what YAML makes of it (str, bool, int, float, None, list, or a
    dict with str keys): an unquoted `no` is False here, a date stays text.
    """

    key: str
    value: object
    key_at: Position
    value_at: Position
    value_end: Position


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of the file's form, where it is, and what to do.

    `code` is one of yaml, duplicate-key, tag, alias, too-deep, not-a-mapping,
    unclosed, too-large, encoding.
    """

    at: Position
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file in its parts. With a problem in the YAML, `fields` has those read before it."""

    path: str
    text: str  # without byte-order mark, line ends as \n
    fields: Mapping[str, Field]  # in the file's order; empty without front matter
    has_front_matter: bool
    body: str
    body_line: int  # the line of the file on which the body begins
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the parts of a text lie: `text[start:end]` is YAML, `text[body:]` the body."""

    start: int
    end: int
    body: int


def parse(path: str, data: bytes) -> Document:
    """The document in these bytes. Never raises: faults are problems."""
    if len(data) > MAX_FILE:
        what = f"{len(data)} bytes; a skill has at most {MAX_FILE}"
        return Document(path, "", {}, False, "", 1, (Problem(_FIRST, "too-large", what),))
    text, problems = _decoded(data)
    found = cut(text)
    if found is None:
        if _OPENING.match(text):
            what = "front matter without an end; close it with a line of three dashes"
            problems.append(Problem(_FIRST, "unclosed", what))
        return Document(path, text, {}, False, text, 1, tuple(problems))
    # Imported here: YAML is dear at start-up, and a file without front matter has no need of it.
    from gemba_core.skills.front_matter import read_fields

    fields, faults = read_fields(text, found.start, found.end)
    body_line = position(text, found.body).line
    return Document(path, text, fields, True, text[found.body :], body_line, (*problems, *faults))


def read(path: str) -> Document:
    """The document in that file. Raises OSError, also where it is no regular file."""
    return parse(path, read_bytes(path))


def read_bytes(path: str) -> bytes:
    """At most one byte more than a skill may have. Raises OSError as `read`."""
    # O_NONBLOCK: a FIFO in its place must not hang us.
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(0, "not a regular file", path)
        return file.read(MAX_FILE + 1)


def body_of(data: bytes) -> str:
    """The body alone, as `parse` has it, without reading the front matter."""
    text, _ = _decoded(data)
    found = cut(text)
    return text if found is None else text[found.body :]


def cut(text: str) -> Cut | None:
    """Where front matter and body are; None without front matter, or if it has no end.

    It ends at the first line that is three dashes and nothing else: dashes
    within a value are indented or have company.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    return Cut(opening.end(), closing.start(), min(closing.end() + 1, len(text)))


def position(text: str, offset: int) -> Position:
    """The position of that character of the text."""
    return Position(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


_FIRST = Position(1, 1)


def _decoded(data: bytes) -> tuple[str, list[Problem]]:
    """The text, what is not UTF-8 replaced, and the first place where that was so."""
    problems = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", "replace")
        before = _newlines(error.object[: error.start].decode("utf-8-sig", "replace"))
        what = "not UTF-8; save the file as UTF-8"
        problems.append(Problem(position(before, len(before)), "encoding", what))
    text = _newlines(text)
    if "\0" in text:
        what = "a NUL byte: this is no text"
        problems.append(Problem(position(text, text.index("\0")), "encoding", what))
    return text, problems


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
