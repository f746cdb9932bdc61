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
_CHOOSE = re.compile(r"\b(?:choose|choices?|options?|pick|select)\b", re.IGNORECASE)
_ENDS = " \t\n,;."
_SURE = range(2, 10)


def options_in(value: object) -> tuple[str, ...]:
    """The choices, two to nine of them, each said once; none where they cannot be told for sure.

    A list has them as its entries. A text has them behind words that ask for a choice: as the
    items that it ends with, as `(a) one (b) two` or `Option A … Option B …`, or behind its last
    colon with bars between them.
    """
    found = value if isinstance(value, list) else _of_text(said(value))
    texts = [deliverable(one) for one in found if isinstance(one, str)]
    is_sure = len(texts) in _SURE and len(set(texts)) == len(texts) == len(found)
    return tuple(texts) if is_sure and all(texts) else ()


def _of_text(text: str) -> Sequence[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    items = [_ITEM.fullmatch(line) for line in lines]
    if sum(map(bool, items)) < 2:
        return next(filter(None, (_marked(marks, text) for marks in _MARKS)), _barred(text))
    first = next(number for number, item in enumerate(items) if item)
    choices = [item["text"] for item in items[first:] if item]
    is_all = len(choices) == len(items) - first
    return choices if is_all and _asks(lines[:first]) else []


def _asks(lines: Sequence[str]) -> bool:
    """Whether the last of these lines asks for a choice: any other may be a report."""
    last = lines[-1].rstrip(" \t:") if lines else ""
    return last.endswith("?") or _CHOOSE.search(last) is not None


def _marked(marks: re.Pattern[str], text: str) -> list[str]:
    """What stands behind each of the marks, if they count up from the first one."""
    found = list(marks.finditer(text))
    names = [one["mark"].lower() for one in found]
    if len(found) not in _SURE or names not in (_letters(len(found)), _numbers(len(found))):
        return []
    if not _asks(text[: found[0].start()].rstrip().split("\n")):
        return []
    ends = [*(one.start() for one in found[1:]), len(text)]
    return [_first(text[one.end() : end]) for one, end in zip(found, ends, strict=True)]


def _barred(text: str) -> list[str]:
    before, _, behind = text.rpartition(":")
    if "|" not in behind or "\n" in behind or not _CHOOSE.search(re.split(r"[.?!\n]", before)[-1]):
        return []
    return [piece.strip().rstrip(_ENDS) for piece in behind.split("|")]


def _first(piece: str) -> str:
    """Its first sentence, without the `or` that leads on to the next piece."""
    sentence = re.split(r"\.\s|\n", piece.strip(), maxsplit=1)[0].rstrip(_ENDS)
    before, _, last = sentence.rpartition(" ")
    return before.rstrip(_ENDS) if last == "or" else sentence


def _letters(count: int) -> list[str]:
    return [chr(ord("a") + number) for number in range(count)]


def _numbers(count: int) -> list[str]:
    return [str(number + 1) for number in range(count)]
