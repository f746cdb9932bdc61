"""From ready work to an agent that has it: reservation, then assignment.

An assignment has the id of the reservation that it was made of: so the adaptor
knows it when a workspace is acquired and a session started for it. Source: spec
003, "Assignment protocol (canonical: pull)".
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from gemba_core.orchestration.cost import CostMeter
from gemba_core.orchestration.escalation import EscalationRequest
from gemba_core.orchestration.session import ConfirmNonce


class AssignmentStrategy(StrEnum):
    """How work comes to an agent; `pull` is canonical."""

    PUSH = "push"
    PULL = "pull"
    HOOK = "hook"


class AssignmentStatus(StrEnum):
    """The last three are terminal."""

    PENDING = "pending"
    ACTIVE = "active"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELED = "canceled"


class Ready(Protocol):
    """As much of a work item as a filter looks at; 0 is the most urgent priority."""

    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def priority(self) -> int: ...
    @property
    def sprint_id(self) -> str | None: ...
    @property
    def repository(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyFilter:
    """Which ready work an agent would take; empty means any."""

    labels: tuple[str, ...] = ()
    kind: str | None = None
    max_priority: int | None = None
    sprint_id: str | None = None
    repository: str | None = None

    def admits(self, item: Ready) -> bool:
        """Whether an agent that asks so would take it; it has all of the labels."""
        return (
            set(self.labels) <= set(item.labels)
            and self.kind in (None, item.kind)
            and (self.max_priority is None or item.priority <= self.max_priority)
            and self.sprint_id in (None, item.sprint_id)
            and self.repository in (None, item.repository)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """A work item that is held for one agent until `expires_at`, and then returns by itself."""

    id: str
    work_item_id: str
    agent_id: str
    expires_at: datetime
    nonce: ConfirmNonce


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """An agent bound to a work item."""

    id: str
    work_item_id: str | None
    agent_id: str
    status: AssignmentStatus
    workspace_id: str | None = None
    session_id: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cost: CostMeter | None = None
    escalations: tuple[EscalationRequest, ...] = ()
