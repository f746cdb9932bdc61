"""One line of JSON to one frame. A line is a frame if, and only if, this decodes it."""

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
EMPTY = Raw(b"")
T = TypeVar("T")


class Frame(Struct, frozen=True, gc=False):
    """One line of a log. The payload stays raw: millions are read, few are looked into."""

    hook: str
    session_id: str
    event_id: str
    ts: str = ""
    agent_type: str = ""
    payload: Raw = EMPTY
    payload_raw: str | None = None
    processes: Raw = EMPTY
    reply_to: Raw = EMPTY


_decoder = msgspec.json.Decoder(Frame)
_lines_decoder = msgspec.json.Decoder(list[tuple[Frame]])


def decode(line: bytes) -> Frame | None:
    """The frame in that line (without its newline), or None if it is none."""
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def decode_lines(lines: bytes) -> list[Frame] | None:
    """The frames in these lines, a few times as fast as one by one; None if any is none."""
    # Brackets around each line: where a value or a text runs over a newline, this is no JSON, and
    # two values on one line are more frames than lines.
    bracketed = b"[[%b]]" % lines.replace(b"\n", b"],\n[")
    newlines = (len(bracketed) - len(lines) - 4) // 3
    try:
        found = _lines_decoder.decode(bracketed)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    return [frame for (frame,) in found] if len(found) == newlines + 1 else None


def microseconds(ts: str) -> int | None:
    """The time stamp as microseconds since the epoch, None where it cannot be read."""
    try:
        moment = datetime.fromisoformat(ts)
        if moment.tzinfo is None:
            return None
        return (moment - _EPOCH) // _MICROSECOND
    except (ValueError, OverflowError):
        return None


def strictly(payload: Raw, shape: type[T]) -> T | None:
    """The payload in that shape; None where it has another one."""
    try:
        return msgspec.json.decode(payload, type=shape)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def loads(data: bytes) -> dict[str, Any]:
    """An input as a plain object; empty where it is none."""
    return loosely(Raw(data)) if data else {}


def loosely(payload: Raw) -> dict[str, Any]:
    """The payload as a plain object; empty where it is none."""
    value = strictly(payload, dict)
    return value if value is not None else {}
