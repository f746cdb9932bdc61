"""JSON edited as text, so that all that is not ours keeps every one of its bytes.

Only the standard parser reads; what is added is laid out as its neighbours are.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from gemba_core.install.unfit import Unfit, line_at


def _refuse(literal: str) -> NoReturn:
    raise ValueError(f"{literal} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object or an item of an array: text[start:end]; a member has a key."""

    start: int
    value: int
    end: int
    key: str | None = None


def parse(text: str) -> Any:
    """The value of the whole text. Raises Unfit unless it is valid JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise Unfit(error.lineno, f"not valid JSON ({error.msg}, column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        raise Unfit(1, f"not valid JSON ({error})") from error


def root(text: str) -> int:
    """Where the outermost value begins."""
    return _after_space(text, 0)


def parts(text: str, start: int) -> list[Part]:
    """The members or items of the container that begins there, in valid JSON."""
    return _scan(text, start)[0]


def member(text: str, start: int, key: str) -> Part | None:
    """The member of that key; of several the last, which is the one that readers take."""
    return next((part for part in reversed(parts(text, start)) if part.key == key), None)


def value(text: str, part: Part) -> Any:
    """What the part holds."""
    return _DECODER.raw_decode(text, part.value)[0]


def add(text: str, start: int, new: Any, key: str | None = None) -> str:
    """The text with one more part at the end of the container that begins at `start`."""
    found, close = _scan(text, start)
    name = "" if key is None else _dumps(text, key, None) + (": " if _is_airy(text) else ":")
    if not found:
        own = _indent_of(text, start)
        if "\n" not in text.rstrip() and text.strip() not in ("{}", "[]"):
            return text[: start + 1] + name + _dumps(text, new, None) + text[close:]
        inner = own + _unit(text)
        laid_out = _newline(text) + inner + name + _dumps(text, new, inner) + _newline(text) + own
        return text[: start + 1] + laid_out + text[close:]
    last = found[-1]
    lead = _lead(text, start, last)
    if lead is None:
        between = ", " if _is_airy(text) else ","
    else:
        between = "," + _newline(text) + lead
    return text[: last.end] + between + name + _dumps(text, new, lead) + text[last.end :]


def replace(text: str, container: int, part: Part, new: Any) -> str:
    """The text with another value in that part of the container."""
    lead = _lead(text, container, part)
    return text[: part.value] + _dumps(text, new, lead) + text[part.end :]


def remove(text: str, start: int, part: Part) -> str:
    """The text without that part of the container that begins at `start`."""
    found, close = _scan(text, start)
    place = found.index(part)
    if len(found) == 1:
        return text[: start + 1] + text[close:]
    if place + 1 < len(found):
        return text[: part.start] + text[found[place + 1].start :]
    return text[: found[place - 1].end] + text[part.end :]


def reach(text: str, path: Sequence[str]) -> int | None:
    """Where the value at that path begins; None if it is not there."""
    start = root(text)
    for key in path:
        if text[start] != "{":
            return None
        found = member(text, start, key)
        if found is None:
            return None
        start = found.value
    return start


def _scan(text: str, start: int) -> tuple[list[Part], int]:
    """The parts of the container, and where its closing bracket is."""
    closing = "}" if text[start] == "{" else "]"
    found: list[Part] = []
    at = _after_space(text, start + 1)
    while text[at] != closing:
        begin, key = at, None
        if closing == "}":
            key, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, _after_space(text, at) + 1)
        end = _DECODER.raw_decode(text, at)[1]
        found.append(Part(begin, at, end, key))
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return found, at


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _lead(text: str, container: int, part: Part) -> str | None:
    """The indentation of a part that stands on a line of its own; None of one that does not."""
    line = text.rfind("\n", container, part.start)
    between = text[line + 1 : part.start]
    return between if line >= 0 and not between.strip() else None


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = re.search(r'\n([ \t]+)"', text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _is_airy(text: str) -> bool:
    return '":' not in text or '": ' in text or '" :' in text


def _dumps(text: str, new: Any, lead: str | None) -> str:
    """As JSON: on one line without `lead`, else on lines that begin with it."""
    if lead is None:
        apart = (", ", ": ") if _is_airy(text) else (",", ":")
        return json.dumps(new, ensure_ascii=False, separators=apart)
    lines = json.dumps(new, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_newline(text) + lead).join(lines)


def checked(text: str, at: int | None, kind: str, what: str) -> int | None:
    """`at`, if the value there begins with that bracket. Raises Unfit."""
    if at is not None and text[at] != kind:
        should = "an object" if kind == "{" else "a list"
        raise Unfit(line_at(text, at), f"{what} should be {should}")
    return at
