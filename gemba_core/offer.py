"""An answer laid out for the agent's own hook: a small file beside the session's log.

The deliverer writes it while the agent is at work; the bridge, which cannot
afford to read a log at every tool call, looks only whether it is there. It
holds where the log was folded to, so that the hook reads on from there. It is
a hint: whether an answer may still be taken is decided under the log's lock.
"""

import os

import msgspec
from msgspec import Struct

from gemba_core.home import offer_path
from gemba_core.tail import Position
from gemba_core.translator import SessionState


class Offer(Struct, frozen=True):
    """How far the log was folded, and the state there."""

    position: Position
    state: bytes

    def folded(self) -> SessionState:
        """The state. Raises msgspec.MsgspecError if it is another version's."""
        return SessionState.decoded(self.state)


def lay_out(session_id: str, state: SessionState, position: Position) -> None:
    """Write the session's offer, in place of an older one. Raises OSError."""
    path = offer_path(session_id)
    fresh = f"{path}.{os.getpid()}"
    data = msgspec.msgpack.encode(Offer(position, state.encoded()))
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)
    os.replace(fresh, path)


def take_up(session_id: str) -> Offer | None:
    """The session's offer; None where there is none that can be read."""
    try:
        with open(offer_path(session_id), "rb") as file:
            return msgspec.msgpack.decode(file.read(), type=Offer)
    except (OSError, msgspec.MsgspecError):
        return None


def withdraw(session_id: str) -> None:
    """Remove the session's offer, if there is one. Raises OSError."""
    try:
        os.unlink(offer_path(session_id))
    except FileNotFoundError:
        pass
