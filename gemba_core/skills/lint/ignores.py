"""Findings that a skill's author has looked at: `<!-- gemba: ignore[RULE] reason -->`.

Behind words it holds for its lines, alone for the block that follows. In front
matter it is `# gemba: ignore[RULE] reason`: behind a key it holds for that line,
alone on a line for the whole file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemba_core.skills.document import Document, Position
from gemba_core.skills.lint.passages import Body, Passage

_BODY = re.compile(
    r"<!--[ \t]*gemba:[ \t]*ignore(?:\[([^\]\n]*)\])?[ \t]*(.{0,500}?)\s*-->", re.DOTALL
)
_FRONT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*gemba:[ \t]*ignore(?:\[([^\]\n]*)\])?[ \t]*(.*)$")
_SIGN = "gemba:"


@dataclass(frozen=True, slots=True)
class Ignore:
    """One comment: its rules, its reason, and the lines [first, last] that it holds for."""

    rules: tuple[str, ...]
    reason: str
    first: int
    last: int
    at: Position
    end: Position

    def holds_for(self, line: int, names: tuple[str, str]) -> bool:
        """Whether a finding in that line, of the rule with that id and name, is ignored."""
        return self.first <= line <= self.last and any(name in names for name in self.rules)


def read_ignores(document: Document, body: Body | None) -> tuple[Ignore, ...]:
    """The comments of a file. `body` may be None where `may_ignore` says no."""
    found = list(_in_front(document))
    if body is not None:
        for passage in body.passages:
            if passage.kind != "code":
                found += _in_passage(passage, body)
    return tuple(found)


def may_ignore(document: Document) -> bool:
    """Whether such a comment may be in the file's body."""
    return _SIGN in document.body


def _in_front(document: Document) -> Iterator[Ignore]:
    front = document.text[: len(document.text) - len(document.body)]
    if not document.has_front_matter or _SIGN not in front:
        return
    for number, line in enumerate(front.split("\n"), 1):
        found = _FRONT.search(line)
        if found is None:
            continue
        alone = not line[: found.start()].strip()
        first, last = (1, document.text.count("\n") + 1) if alone else (number, number)
        yield _ignore(
            found, first, last, Position(number, found.start() + 1), Position(number, len(line) + 1)
        )


def _in_passage(passage: Passage, body: Body) -> Iterator[Ignore]:
    text = passage.raw or passage.words
    for found in _BODY.finditer(text):
        at, end = passage.at(found.start()), passage.at(found.end())
        first, last = at.line, end.line
        before = text[: found.start()].rpartition("\n")[2]
        if not before.strip() and not text[found.end() :].partition("\n")[0].strip():
            following = (block for block in body.blocks if block[0] > end.line)
            inner = (one.starts for one in body.passages if one.starts[0].line > end.line)
            last = max(next(following, (0, last))[1], next(inner, (end,))[-1].line)
        yield _ignore(found, first, last, at, end)


def _ignore(found: re.Match[str], first: int, last: int, at: Position, end: Position) -> Ignore:
    rules = tuple(filter(None, (name.strip() for name in (found[1] or "").split(","))))
    return Ignore(rules, found[2].strip(), first, last, at, end)
