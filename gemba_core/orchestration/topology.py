"""What should run and what does, in one shape, so that the two can be compared.

Source: spec 003, "Desired-vs-actual".
"""

from dataclasses import dataclass
from datetime import datetime

from gemba_core.orchestration.agent import AgentGroup, AgentRef
from gemba_core.orchestration.assignment import Assignment
from gemba_core.orchestration.session import Session
from gemba_core.orchestration.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceTopology:
    """Declared or observed; an adaptor without a declared form gives the moment alone."""

    captured_at: datetime
    agents: tuple[AgentRef, ...] = ()
    groups: tuple[AgentGroup, ...] = ()
    workspaces: tuple[Workspace, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    sessions: tuple[Session, ...] = ()
