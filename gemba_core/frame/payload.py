"""The payloads of the frames, as the readers need them. Unknown keys are ignored.

Source: wire.md, "Hooks of Gemba's own"; the agents' hooks as their clients document them.
"""

from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

# What the index and the stored state can hold; a larger number is malformed.
Whole = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class Option(Struct, frozen=True, gc=False):
    """One choice: the value that is handed back, and what the person sees."""

    value: str
    label: str | None = None


class ReplyTo(Struct, frozen=True, gc=False):
    """The pane to answer to; the agent is (pid, start time) of the program that asked."""

    tmux_socket: str
    tmux_server_pid: Whole
    tmux_pane: str
    agent: tuple[Whole, Whole] | None = None


class Ask(Struct, frozen=True, gc=False):
    """GembaAsk."""

    kind: str
    role: str
    text: str
    mode: str = ""
    bead_id: str | None = None
    title: str | None = None
    options: list[Option] = []
    deadline: str | None = None
    on_expiry: str | None = None
    key: str | None = None
    reply_to: ReplyTo | None = None


class Escalate(Struct, frozen=True, gc=False):
    """GembaEscalate: any other source."""

    source: str
    urgency: str
    prompt: str
    title: str | None = None
    options: list[Option] = []
    bead_id: str | None = None
    detail: Any = None
    role: str | None = None
    key: str | None = None
    reply_to: ReplyTo | None = None


class State(Struct, frozen=True, gc=False):
    """GembaState."""

    state: str
    bead_id: str | None = None
    note: str | None = None


class Skill(Struct, frozen=True, gc=False):
    """GembaSkill: a skill leads the turn of that client; `tools` are the ones that it allows."""

    skill: str
    path: str = ""
    tools: list[str] | None = None
    client: str | None = None


class Resolve(Struct, frozen=True, gc=False):
    """GembaResolve: one decision about one or more escalations of this session."""

    escalation_ids: list[str]
    resolution_id: str
    kind: str
    resolved_by: str
    nonce: str
    via: str
    value: str | None = None
    always: bool = False


class Act(Struct, frozen=True, gc=False):
    """GembaReopen, GembaCancel, GembaClaim, GembaRelease."""

    escalation_id: str
    by: str
    reason: str | None = None
    until: str | None = None


class Delivery(Struct, frozen=True, gc=False):
    """GembaDelivery; `lock` names the lock file of the deliverer, below the home."""

    resolution_id: str
    attempt: Whole
    status: str
    by: str
    detail: str | None = None
    lock: str | None = None


class EchoText(Struct, frozen=True, gc=False):
    """GembaEcho."""

    text_sha256: str
    length: Whole
    why: str = ""


class PlaneReservation(Struct, frozen=True, gc=False):
    """GembaReservation: `op` is claimed or released; without a work item, a session of its own."""

    op: str
    reservation_id: str
    agent_id: str
    work_item_id: str | None = None
    expires_at: str | None = None
    nonce: str | None = None
    reason: str | None = None


class PlaneWorkspace(Struct, frozen=True, gc=False):
    """GembaWorkspace: `op` is acquired, released or conflict (`path`, with `session_ids`).

    `workspace` is the record in its wire shape.
    """

    op: str
    workspace: dict[str, Any] = {}
    path: str | None = None
    session_ids: list[str] = []


class PlaneSession(Struct, frozen=True, gc=False):
    """GembaSession: `op` is start, opened, pause, resume, end, ended or adopt.

    `lock` is the file, below the home, whose lock says that the owner of the
    session's scope lives; `reply_to` the pane that was opened for it; `detail`
    what a person should know of the end.
    """

    op: str = "end"
    nonce: str | None = None
    before: str | None = None
    after: str | None = None
    mode: str | None = None
    close_reason: str | None = None
    lock: str | None = None
    reply_to: ReplyTo | None = None
    detail: str | None = None


class PlaneCost(Struct, frozen=True, gc=False):
    """GembaCost: one sample."""

    at: str | None = None
    tokens: Whole | None = None
    wallclock_seconds: float | None = None
    dollars_native: float | None = None
    dollars_est: float | None = None


class Hook(Struct, frozen=True, gc=False):
    """Any hook of an agent's own."""

    session_id: str | None = None
    turn_id: str | None = None
    source: str | None = None
    reason: str | None = None
    prompt: str | None = None
    tool_name: str | None = None
    tool_input: Raw = Raw(b"")
    notification_type: str | None = None
    message: str | None = None
    background_tasks: list[Raw] = []
