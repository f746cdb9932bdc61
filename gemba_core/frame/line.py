"""One frame to one line of JSON. Standard library only: every sentinel imports this.

Source: wire.md, "The frame". For any input bytes whatever, the written line
decodes in our own reader and in a strict one.
"""

import json
import os
import time

MAX_INPUT = 1 << 20
MAX_DEPTH = 200


def new_event_id() -> str:
    """16 random lower-case hex digits."""
    return os.urandom(8).hex()


def now() -> str:
    """RFC 3339 in UTC with microseconds and `Z`."""
    return timestamp(time.time_ns())


def timestamp(nanoseconds: int) -> str:
    """Nanoseconds since the epoch as RFC 3339 in UTC with microseconds and `Z`."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{rest // 1000:06d}Z"


def encode(
    hook: str,
    members: bytes,
    *,
    session_id: str,
    agent_type: str,
    event_id: str,
    ts: str,
) -> bytes:
    """The whole line, newline included; `members` are the encoded payload members."""
    head: dict[str, object] = {
        "ts": ts,
        "session_id": session_id,
        "agent_type": agent_type,
        "hook": hook,
        "event_id": event_id,
    }
    return _strict(head)[:-1] + b"," + members + b"}\n"


def members_of(payload: dict[str, object]) -> bytes:
    """The payload member of a frame of Gemba's own."""
    return b'"payload":' + _strict(payload)


def members_of_input(data: bytes, cut: tuple[int, str] | None = None) -> bytes:
    """The payload members for what an agent wrote to a hook's standard input.

    A JSON object keeps its own bytes, with the line breaks between its tokens
    made spaces. Anything else is kept as a string in `payload_raw`; bytes that
    are not UTF-8 are kept there as Latin-1, and `payload_raw_encoding` says so.
    `cut` is the full input's length and SHA-256 where `data` is only its beginning.
    """
    if cut is None and _is_plain_object(data):
        body = data.strip().replace(b"\r", b" ").replace(b"\n", b" ")
        return b'"payload":' + body
    raw: dict[str, object] = {}
    try:
        raw["payload_raw"] = data.decode()
    except UnicodeDecodeError:
        raw["payload_raw"] = data.decode("latin-1")
        raw["payload_raw_encoding"] = "latin-1"
    if cut is not None:
        raw |= {"payload_cut": True, "payload_length": cut[0], "payload_sha256": cut[1]}
    return _strict(raw)[1:-1]


def _strict(value: dict[str, object]) -> bytes:
    # "replace" turns what came from undecodable arguments (lone surrogates) into "?".
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _refuse(literal: str) -> float:
    raise ValueError(f"{literal} is not JSON")


def _finite(literal: str) -> float:
    value = float(literal)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{literal} is out of range")
    return value


def _is_plain_object(data: bytes) -> bool:
    """UTF-8, an object, no NaN, Infinity or lone surrogate, at most MAX_DEPTH deep."""
    try:
        text = data.decode()
        if not isinstance(json.loads(text, parse_constant=_refuse, parse_float=_finite), dict):
            return False
        if b"\\u" not in data and data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
            return True
        parts = json.loads(text, object_pairs_hook=_parts)
        if _depth(parts) > MAX_DEPTH:
            return False
        json.dumps(parts, ensure_ascii=False).encode()  # raises for a lone surrogate
    except (ValueError, RecursionError):
        return False
    return True


def _parts(pairs: list[tuple[str, object]]) -> list[object]:
    """An object's keys and values; a dict would hide what stands under a repeated key."""
    return [part for pair in pairs for part in pair]


def _depth(value: object) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, list)]:
        depth += 1
        level = [child for item in level for child in item]
    return depth
