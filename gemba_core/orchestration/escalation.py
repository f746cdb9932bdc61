"""What waits for a person, in the one shape that all sources map onto.

Source: spec 003, "Escalations".
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class EscalationKind(StrEnum):
    """Where it comes from; the words of `frame.vocabulary.SOURCES`."""

    MCP_ELICITATION = "mcp_elicitation"
    A2A_INPUT_REQUIRED = "a2a_input_required"
    PERMISSION_PROMPT = "permission_prompt"
    HITL_APPROVAL = "hitl_approval"
    ORCHESTRATOR_PAUSE = "orchestrator_pause"
    QUESTION = "question"
    BLOCKER = "blocker"


class EscalationChannel(StrEnum):
    """Whether the agent's own machinery asked, or the agent called Gemba."""

    NOTIFICATION = "notification"
    TOOL_CALL = "tool_call"


class EscalationUrgency(StrEnum):
    """A blocking one suspends its session."""

    BLOCKING = "blocking"
    ADVISORY = "advisory"


class EscalationState(StrEnum):
    """All but `open` are settled."""

    OPEN = "open"
    RESOLVED = "resolved"
    CANCELED = "canceled"
    EXPIRED = "expired"


class EscalationResolutionKind(StrEnum):
    """`approve` and `modify` let a blocked session go on."""

    APPROVE = "approve"
    DENY = "deny"
    MODIFY = "modify"
    DEFER = "defer"


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalationOption:
    """One choice."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalationResolution:
    """What a person decided."""

    kind: EscalationResolutionKind
    resolved_by: str
    value: Any = None
    resolved_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalationRequest:
    """One need for a person."""

    id: str
    source: EscalationKind
    urgency: EscalationUrgency
    title: str
    prompt: str
    state: EscalationState
    created_at: datetime
    channel: EscalationChannel | None = None
    assignment_id: str | None = None
    session_id: str | None = None
    work_item_id: str | None = None
    agent_id: str | None = None
    options: tuple[EscalationOption, ...] = ()
    deadline: datetime | None = None
    resolution: EscalationResolution | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalationFilter:
    """Which open escalations; None means any."""

    assignment_id: str | None = None
    work_item_id: str | None = None
    agent_id: str | None = None
    source: EscalationKind | None = None
    urgency: EscalationUrgency | None = None
    workspace: str | None = None
