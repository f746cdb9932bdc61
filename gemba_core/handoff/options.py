"""The choices that an agent has written into the words of its question."""

import re
from collections.abc import Sequence

from gemba_core.frame.text import deliverable
from gemba_core.handoff.said import said

_ITEM = re.compile(r"[ \t]*(?:[-*•]|\(?(?:\d{1,2}|[A-Za-z])[.)])[ \t]+(?P<text>\S.*)")
# `(a) one (b) two` and `1) one 2) two` in a line; `Option A (one) or Option B (two)`.
_MARKS = (
    re.compile(r"(?:^|(?<=\s))\(?(?P<mark>\d{1,2}|[A-Za-z])\)[ \t]+"),
    re.compile(r"\b(?=option[ \t]+(?P<mark>\d{1,2}|[A-Z])\b)", re.IGNORECASE),
)
_ENDS = " \t\n,;."
_SURE = range(2, 10)


def options_in(value: object) -> tuple[str, ...]:
    """The choices, two to nine of them, each said once; none where they cannot be told for sure.

    A list has them as its entries; a text as the items of a list, as `(a) one (b) two` or
    `Option A … Option B …`, or behind its last colon with bars between them.
    """
    found = value if isinstance(value, list) else _of_text(said(value))
    texts = [deliverable(one) for one in found if isinstance(one, str)]
    is_sure = len(texts) in _SURE and len(set(texts)) == len(texts) == len(found)
    return tuple(texts) if is_sure and all(texts) else ()


def _of_text(text: str) -> Sequence[str]:
    items = [found["text"] for line in text.split("\n") if (found := _ITEM.fullmatch(line))]
    if len(items) > 1:
        return items
    return next(filter(None, (_marked(marks, text) for marks in _MARKS)), _barred(text))


def _marked(marks: re.Pattern[str], text: str) -> list[str]:
    """What stands behind each of the marks, if they count up from the first one."""
    found = list(marks.finditer(text))
    names = [one["mark"].lower() for one in found]
    if len(found) not in _SURE or names not in (_letters(len(found)), _numbers(len(found))):
        return []
    ends = [*(one.start() for one in found[1:]), len(text)]
    return [_first(text[one.end() : end]) for one, end in zip(found, ends, strict=True)]


def _barred(text: str) -> list[str]:
    behind = text.rpartition(":")[2]
    return [piece.strip().rstrip(_ENDS) for piece in behind.split("|")] if "|" in behind else []


def _first(piece: str) -> str:
    """Its first sentence, without the `or` that leads on to the next piece."""
    sentence = re.split(r"\.\s|\n", piece.strip(), maxsplit=1)[0].rstrip(_ENDS)
    before, _, last = sentence.rpartition(" ")
    return before.rstrip(_ENDS) if last == "or" else sentence


def _letters(count: int) -> list[str]:
    return [chr(ord("a") + number) for number in range(count)]


def _numbers(count: int) -> list[str]:
    return [str(number + 1) for number in range(count)]
