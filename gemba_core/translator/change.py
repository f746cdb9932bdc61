"""What a frame changes beyond its session's own state. The store applies these in order."""

from typing import Any

import msgspec
from msgspec import Struct


class Opened(Struct, frozen=True, gc=False, omit_defaults=True):
    """An escalation is open. `options` are (value, label)."""

    id: str
    number: int
    source: str
    channel: str
    urgency: str
    title: str
    prompt: str
    at: str
    agent_type: str
    kind: str | None = None
    role: str | None = None
    mode: str | None = None
    bead_id: str | None = None
    key: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    deadline: str | None = None
    on_expiry: str | None = None
    reply_to: str | None = None
    detail: Any = None
    tool: str | None = None

    def encoded(self) -> str:
        """The record as JSON."""
        return _encode(self).decode()

    @classmethod
    def decoded(cls, data: str) -> "Opened":
        """The record that was encoded so."""
        return _decode(data)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Opened).decode


class AskedAgain(Struct, frozen=True, gc=False):
    """An ask with the same key: `alias` names the escalation too."""

    id: str
    alias: str
    at: str


class Resolved(Struct, frozen=True, gc=False):
    """Somebody decided."""

    id: str
    resolution_id: str
    kind: str
    value: str | None
    by: str
    via: str
    at: str
    always: bool = False


class Closed(Struct, frozen=True, gc=False):
    """Closed without a decision: `state` is `canceled` or `expired`."""

    id: str
    state: str
    reason: str
    by: str
    at: str


class Reopened(Struct, frozen=True, gc=False):
    """Open again; its last resolution no longer counts."""

    id: str
    by: str
    at: str


class Claimed(Struct, frozen=True, gc=False):
    """Somebody looks after it until then; nobody if `by` is None."""

    id: str
    by: str | None
    until: str | None


class PossibleReply(Struct, frozen=True, gc=False):
    """The person typed this in the turn in which the ask was made."""

    id: str
    text: str


class Delivered(Struct, frozen=True, gc=False):
    """The delivery of a resolution has this status now."""

    resolution_id: str
    attempt: int
    status: str
    at: str
    by: str
    detail: str | None = None
    lock: str | None = None


class Dropped(Struct, frozen=True, gc=False):
    """The frame changed nothing, and should have: counted by reason."""

    session_id: str
    hook: str
    event_id: str
    reason: str


Change = (
    Opened
    | AskedAgain
    | Resolved
    | Closed
    | Reopened
    | Claimed
    | PossibleReply
    | Delivered
    | Dropped
)
