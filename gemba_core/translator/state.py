"""What the fold remembers of a session: one small frozen record, stored with the session's row."""

from typing import Any

import msgspec
from immutables import Map
from msgspec import Struct


class Escalation(Struct, frozen=True, array_like=True, gc=False):
    """What later frames need of an escalation, open or closed. `turn` is that of the ask.

    `resolution_id` is its last resolution's, also while it is open again; `earlier`
    are those of the ones before it. `claimed_by` looks after an open one until
    `claimed_until`, which nobody needs to have noticed.
    """

    id: str
    number: int
    source: str
    channel: str
    urgency: str
    key: str | None = None
    turn: int | None = None
    tool: str | None = None
    tool_input: str | None = None
    state: str = "open"
    resolution_id: str | None = None
    claimed_by: str | None = None
    claimed_until: str | None = None
    earlier: tuple[str, ...] = ()

    def has_had(self, resolution_id: str) -> bool:
        """Whether that resolution has settled it, perhaps before it was opened again."""
        return resolution_id == self.resolution_id or resolution_id in self.earlier


class Answer(Struct, frozen=True, array_like=True, gc=False):
    """A resolution whose text the agent has not reported yet.

    `lock` names the file whose lock says that the deliverer of a claimed one
    lives. `in_flight`: the text may reach the agent at any moment. `by_hook`:
    the agent's own hook printed it, and its next hook is the receipt. `by_policy`:
    no person decided so.
    """

    id: str
    number: int
    text: str
    escalation_ids: tuple[str, ...]
    status: str = "queued"
    attempt: int = 1
    lock: str | None = None
    in_flight: bool = False
    by_hook: bool = False
    by_policy: bool = False


class Client(Struct, frozen=True, array_like=True, gc=False):
    """The agent's own session that is bound to ours; processes are (pid, start time), its own
    first."""

    session_id: str
    processes: tuple[tuple[int, int], ...] = ()
    tmux_server: int | None = None
    ended: bool = False


class Turn(Struct, frozen=True, array_like=True, gc=False):
    """The turn that runs or ran last. `reported` is its last GembaState."""

    number: int = 0
    open: bool = False
    id: str | None = None
    prompted: bool = False
    reported: str | None = None


class Echo(Struct, frozen=True, array_like=True, gc=False):
    """A text that Gemba types itself: its prompt is nobody's answer."""

    sha256: str
    length: int


class Lead(Struct, frozen=True, array_like=True, gc=False):
    """A skill that leads the turn; `tools` are those that it narrows the session to, if it does."""

    skill: str
    tools: tuple[str, ...] | None = None


class Plane(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the orchestration plane did with the session, if it keeps it.

    `workspace` is the record in its wire shape, as JSON; `lock` the file, below
    the home, whose lock says that the owner of the session's scope lives;
    `pane` the one that was opened for it, as a return address in JSON. `beneath`
    is the status that the session would have, were it not paused.
    `nonces` are those of the mutations that took effect, each behind its op.
    `metered_at` is up to when its running time was sampled.
    """

    agent_id: str
    work_item_id: str | None = None
    claimed_at: str = ""
    expires_at: str | None = None
    released_at: str | None = None
    workspace: str | None = None
    started_at: str | None = None
    paused: bool = False
    beneath: str | None = None
    ending: str | None = None
    detail: str | None = None
    ended_at: str | None = None
    lock: str | None = None
    pane: str | None = None
    nonces: tuple[str, ...] = ()
    metered_at: str | None = None
    tokens: int = 0
    wallclock_seconds: float = 0.0
    dollars_est: float = 0.0

    @property
    def is_reserved(self) -> bool:
        """Whether the work item is held, and nothing else yet; time may have ended it since."""
        return self.started_at is None and self.released_at is None


class SessionState(Struct, frozen=True, gc=False):
    """The fold's memory of one session. Maps are persistent: a change costs no copy."""

    session_id: str
    agent_type: str = ""
    status: str = "initializing"
    status_at: str = ""
    note: str | None = None
    bead_id: str | None = None
    close_reason: str | None = None
    requested_close: str | None = None
    reply_to: str | None = None
    created_at: str = ""
    client: Client | None = None
    turn: Turn = Turn()
    lead: Lead | None = None
    plane: Plane | None = None
    dialogs: int = 0
    count: int = 0
    open: Map[str, Escalation] = Map()
    closed: Map[str, Escalation] = Map()
    aliases: Map[str, str] = Map()
    answers: Map[str, Answer] = Map()
    echoes: tuple[Echo, ...] = ()

    @property
    def is_ended(self) -> bool:
        return self.status in ("completed", "failed")

    @property
    def is_calm(self) -> bool:
        """At work with nothing pending: a tool hook, whoever sent it, changes nothing.

        Not while it could still tell which client this is.
        """
        if self.dialogs or self.answers or self.client is None or not self.agent_type:
            return False
        return self.status == "working" and self.turn.open and self.turn.reported is None

    def find(self, escalation_id: str) -> Escalation | None:
        """The escalation of that id or alias, open or closed."""
        known = self.aliases.get(escalation_id, escalation_id)
        return self.open.get(known) or self.closed.get(known)

    def is_blocked(self) -> bool:
        """Whether a blocking escalation is open."""
        return any(item.urgency == "blocking" for item in self.open.values())

    def encoded(self) -> bytes:
        """The state as it is stored."""
        return _encoder.encode(self)

    @classmethod
    def decoded(cls, data: bytes) -> "SessionState":
        """The state as it was stored. Raises msgspec.MsgspecError for other bytes."""
        return _decoder.decode(data)


def oldest_first(items: Map[str, Any]) -> list[Any]:
    """The values of one of the maps in the order of the log."""
    return sorted(items.values(), key=lambda item: int(item.number))


def _to_plain(value: object) -> object:
    if isinstance(value, Map):
        return dict(value.items())
    raise NotImplementedError(type(value))


_VALUES: dict[Any, Any] = {
    Map[str, Escalation]: dict[str, Escalation],
    Map[str, Answer]: dict[str, Answer],
    Map[str, str]: dict[str, str],
}


def _from_plain(kind: type, value: object) -> object:
    return Map(msgspec.convert(value, _VALUES[kind]))


_encoder = msgspec.msgpack.Encoder(enc_hook=_to_plain)
_decoder = msgspec.msgpack.Decoder(SessionState, dec_hook=_from_plain)
