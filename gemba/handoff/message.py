"""The messages of agents, as the commands are given them."""

import sys

from gemba_core.errors import UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.handoff.parse import Returned, parse


def message_in(file: str | None) -> bytes:
    """What is in that file, or on standard input (None, `-`).

    Raises UsageError for more than 1 MiB, OSError.
    """
    if file in (None, "-"):
        data, name = sys.stdin.buffer.read(MAX_INPUT + 1), "standard input"
    else:
        name = str(file)
        with open(name, "rb") as opened:
            data = opened.read(MAX_INPUT + 1)
    if len(data) > MAX_INPUT:
        raise UsageError(f"{name}: longer than 1 MiB; give the end of the message")
    return data


def returned_in(message: bytes) -> Returned:
    """What its agent has returned."""
    return parse(message.decode("utf-8-sig", "replace"))
