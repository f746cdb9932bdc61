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


def decode(line: bytes) -> Frame | None:
    """The frame in that line (without its newline), or None if it is none."""
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def decode_block(block: bytes, count: int) -> list[Frame] | None:
    """The frames of `count` complete lines at once; None if any of them needs a closer look.

    Each line must begin with `{` and end with `}`: then no valid object can
    span two lines, and as many objects as lines means one in each.
    """
    if not block.startswith(b"{") or not block.endswith(b"}\n"):
        return None
    if block.count(b"}\n{") != count - 1:
        return None
    try:
        frames = _decoder.decode_lines(block)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    return frames if len(frames) == count else None


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


def loosely(payload: Raw) -> dict[str, Any]:
    """The payload as a plain object; empty where it is none."""
    value = strictly(payload, dict)
    return value if value is not None else {}
