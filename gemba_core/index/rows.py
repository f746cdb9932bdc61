"""What the index gives to readers: frozen rows in the wire's words, times as RFC 3339."""

from typing import Any

from msgspec import Struct


class Resolution(Struct, frozen=True):
    """How it was decided, by whom, and through which surface."""

    kind: str
    value: str | None
    resolved_by: str
    resolved_at: str | None
    via: str


class Delivery(Struct, frozen=True):
    """How far the answer got on its way to the agent."""

    status: str
    attempt: int
    at: str | None
    detail: str | None


class Escalation(Struct, frozen=True):
    """One escalation, as `gemba escalations list --json` prints it.

    `takes`: what can be decided beside yes and no: `modify` (words; with a
    permission another command), `always` (the client's own lasting rule).
    """

    id: str
    source: str
    channel: str
    session_id: str
    agent_type: str
    role: str | None
    work_item_id: str | None
    urgency: str
    title: str
    prompt: str
    options: list[dict[str, str]]
    takes: list[str]
    state: str
    created_at: str | None
    asked_count: int
    resolution: Resolution | None
    delivery: Delivery | None
    reason: str | None
    possible_reply: str | None
    claimed_by: str | None
    claimed_until: str | None
    deadline: str | None
    on_expiry: str | None
    detail: Any


class Lead(Struct, frozen=True):
    """A skill that leads the session's turn; `tools` are the only ones that it allows, if any."""

    skill: str
    tools: list[str] | None


class Workspace(Struct, frozen=True):
    """Where a session that the orchestration plane keeps works, or worked.

    Once it was released it has no `path`; `branches` have its work then, and
    `kept` is the folder of what is on none of them.
    """

    kind: str
    path: str | None
    repository: str | None
    branch: str | None
    branches: list[str]
    kept: str | None


class Session(Struct, frozen=True):
    """One session, as `gemba sessions list --json` prints it.

    `kept`: the orchestration plane runs it, and can pause, resume and end it.
    """

    session_id: str
    agent_type: str
    status: str
    status_at: str | None
    note: str | None
    work_item_id: str | None
    close_reason: str | None
    created_at: str | None
    open: int
    blocking: int
    log: str
    lead: Lead | None
    kept: bool
    workspace: Workspace | None


class Due(Struct, frozen=True):
    """A decision on its way to its agent: what a deliverer needs. Status as recorded.

    `reply_to` is what the asker said of its pane. `is_kept`: the orchestration
    plane runs the session, and has opened `pane` for it. `log_end`: the byte up
    to which its session's log was read.
    """

    session_id: str
    agent_type: str
    resolution_id: str
    attempt: int
    status: str
    detail: str | None
    lock: str | None
    text: str | None
    kind: str
    via: str
    channel: str
    escalation_ids: list[str]
    reply_to: str | None
    is_kept: bool
    pane: str | None
    log_end: int


class LogStatus(Struct, frozen=True):
    """How far a log was read, and what in it was no frame or changed nothing."""

    name: str
    offset: int
    size: int
    bad_lines: int


class Dropped(Struct, frozen=True):
    """Frames that changed nothing and should have, counted by reason."""

    log: str
    session_id: str
    hook: str
    reason: str
    count: int
    last_event_id: str


class Filter(Struct, frozen=True, kw_only=True):
    """Which escalations; None or empty means any. `since` in microseconds.

    `newest`: the newest first. `after`: those behind this one (session id, id).
    """

    states: tuple[str, ...] = ("open",)
    session: str | None = None
    urgency: str | None = None
    source: str | None = None
    role: str | None = None
    since: int | None = None
    search: str | None = None
    limit: int | None = None
    newest: bool = False
    after: tuple[str, str] | None = None
