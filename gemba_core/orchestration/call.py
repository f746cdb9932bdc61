"""The calls of the contract as a transport receives them.

Source: spec 003, "Boundary obligations": what each must have is said here and
checked by `decode`, nowhere else.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.escalation import EscalationResolutionKind
from gemba_core.orchestration.session import SessionEndMode, SessionPrompt
from gemba_core.orchestration.workspace import IsolationCapabilities, WorkspaceKind

_Required = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Call(BaseModel):
    """Unknown keys are refused: a misspelt one must not pass for one that was left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClaimNextReady(Call):
    """claim_next_ready."""

    claimant: AgentRef
    filter: ReadyFilter = ReadyFilter()


class StartSession(Call):
    """start_session."""

    assignment_id: _Required
    prompt: SessionPrompt = SessionPrompt()


class PushSession(Call):
    """push_session: a session for work that nobody claimed. Without a `kind`: unscoped."""

    agent_id: _Required
    work_item_id: str | None = None
    prompt: SessionPrompt = SessionPrompt()
    kind: WorkspaceKind | None = None
    repository: _Required | None = None
    branch: str | None = None


class PauseSession(Call):
    """pause_session."""

    session_id: _Required
    nonce: _Required


class ResumeSession(Call):
    """resume_session."""

    session_id: _Required
    nonce: _Required


class EndSession(Call):
    """end_session."""

    session_id: _Required
    nonce: _Required
    mode: SessionEndMode


class AcquireWorkspace(Call):
    """acquire_workspace."""

    assignment_id: _Required
    repository: _Required
    branch: str | None = None
    preferred_kind: WorkspaceKind | None = None
    required_isolation: IsolationCapabilities = IsolationCapabilities()


class Decision(Call):
    """What `resolution` of resolve_escalation has."""

    kind: EscalationResolutionKind
    resolved_by: _Required
    value: str | None = None


class ResolveEscalation(Call):
    """resolve_escalation."""

    escalation_id: _Required
    nonce: _Required
    resolution: Decision


class ReleaseWorkspace(Call):
    """release_workspace."""

    id: _Required


class ReleaseReservation(Call):
    """release_reservation."""

    id: _Required
