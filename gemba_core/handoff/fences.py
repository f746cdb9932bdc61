"""The fenced blocks of an agent's message, found line by line in one pass.

As a reader of markdown sees them, but more forgiving where agents are careless:
at any indentation, and a tagged block also begins within a fence that its writer
forgot to close. A JSON text has no line break inside a string, so backticks in it
never begin a line and never end the block.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TAG = "agent_contract_handoff"
JSON = "json"

_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)")


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences; one without an end goes on to the next, or to the end.

    `line` is that of the opening fence, from 1.
    """

    info: str
    body: str
    line: int
    is_complete: bool


@dataclass(slots=True)
class _Open:
    marks: str
    info: str
    line: int
    body: list[str]

    def block(self, *, is_complete: bool) -> Block:
        return Block(self.info, "\n".join(self.body), self.line, is_complete)

    def is_closed_by(self, marks: str, info: str) -> bool:
        return not info and self._is_outdone_by(marks)

    def is_interrupted_by(self, marks: str, info: str) -> bool:
        """Only a longer fence can hold an example of a block; this one was never closed."""
        return info == TAG and self._is_outdone_by(marks)

    def _is_outdone_by(self, marks: str) -> bool:
        return marks[0] == self.marks[0] and len(marks) >= len(self.marks)


def blocks(text: str) -> Iterator[Block]:
    """Each of them in the text's order. Any text will do."""
    current: _Open | None = None
    for number, line in enumerate(text.split("\n"), 1):
        fence = _FENCE.fullmatch(line)
        marks, info = (fence["marks"], fence["info"].strip()) if fence else ("", "")
        if marks.startswith("`") and "`" in info:
            marks = ""  # code within a line
        if current is None:
            current = _Open(marks, info, number, []) if marks else None
        elif marks and current.is_closed_by(marks, info):
            yield current.block(is_complete=True)
            current = None
        elif marks and current.is_interrupted_by(marks, info):
            yield current.block(is_complete=False)
            current = _Open(marks, info, number, [])
        else:
            current.body.append(line)
    if current is not None:
        yield current.block(is_complete=False)
