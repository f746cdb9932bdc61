"""A session: one run of an agent against an assignment.

Source: spec 003, "Session lifecycle + nonces" and the sections after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NewType

from gemba_core.orchestration.cost import CostSample

# What a caller gives with a mutation: the same nonce twice is one mutation.
ConfirmNonce = NewType("ConfirmNonce", str)

# Bytes. The system hands a program 128 KiB at most in one argument or variable (execve(2)), and
# the project's own words are a part of it.
MAX_PROMPT = 100 << 10


class SessionStatus(StrEnum):
    """`suspended`: paused, or held by a blocking escalation. The last two are terminal."""

    INITIALIZING = "initializing"
    READY = "ready"
    WORKING = "working"
    PROMPTING = "prompting"
    STALLED = "stalled"
    SUSPENDED = "suspended"
    COMPLETED = "completed"
    FAILED = "failed"

    @property
    def is_terminal(self) -> bool:
        return self in (SessionStatus.COMPLETED, SessionStatus.FAILED)


class SessionEndMode(StrEnum):
    """What the caller of `end_session` intends."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


class SessionCloseReason(StrEnum):
    """Why a session really ended, which the caller's intent may not be."""

    PROVIDER_EXIT = "provider_exit"
    TRANSPORT_ERROR = "transport_error"
    USER_STOP = "user_stop"
    IDLE_TIMEOUT = "idle_timeout"
    FATAL_STDERR = "fatal_stderr"
    PROTOCOL_ERROR = "protocol_error"
    BUDGET_STOP = "budget_stop"
    ESCALATION_PAUSE = "escalation_pause"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session as it stands. `active_turn_id` is None where it is safe to interrupt."""

    id: str
    assignment_id: str
    agent_id: str
    status: SessionStatus
    started_at: datetime
    active_turn_id: str | None = None
    ended_at: datetime | None = None
    last_heartbeat: datetime | None = None
    transcript_ref: str | None = None
    close_reason: SessionCloseReason | None = None
    cost_samples: tuple[CostSample, ...] = ()
    provider_metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPrompt:
    """What the agent is told first. `extension` is between the caller and that adaptor."""

    text: str | None = None
    extension: Mapping[str, Any] = field(default_factory=dict)


def too_long(text: str) -> str | None:
    """Why a caller cannot tell an agent that much at first; None where it can."""
    length = len(text.encode("utf-8", "replace"))
    if length <= MAX_PROMPT:
        return None
    return (
        f"{length:,} bytes are more than an agent can be told at once ({MAX_PROMPT:,}); "
        "put them into a file of the repository, and name that"
    )


class PeekMode(StrEnum):
    """What a look into a session gives."""

    TRANSCRIPT = "transcript"
    SCREENSHOT = "screenshot"
    STRUCTURED = "structured"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPeek:
    """A session at a moment; what is filled in follows the manifest's `peek_modes`.

    A screenshot is a PNG in base64.
    """

    session_id: str
    status: SessionStatus
    captured_at: datetime
    transcript: str | None = None
    screenshot: str | None = None
    structured: Mapping[str, Any] | None = None
