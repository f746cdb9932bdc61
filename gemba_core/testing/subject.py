"""What is put to the test: how to open an adaptor, and how to make things happen outside of it."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.agent import AgentFilter, AgentRef
from gemba_core.orchestration.assignment import ReadyFilter, Reservation
from gemba_core.orchestration.escalation import EscalationUrgency
from gemba_core.orchestration.session import Session, SessionPrompt
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest
from gemba_core.testing.outcome import NotApplicable, missing

# Seconds that `pass_time` sleeps at most where it is not overridden.
_PATIENCE = 10.0


class Subject(ABC):
    """Override `adaptor`, and of the others what your adaptor needs.

    A probe that needs an override which is not there is skipped, and says which.
    What an override raises fails the probe. `adaptor` is annotated Any in the
    overrides so that yours may name its own class.
    """

    # The repository that workspaces are asked for of.
    repository: str = "."
    # An id that no session, assignment, workspace, reservation, escalation or group has.
    known_missing_session_id: str = "gemba-conformance-missing"
    # How many events a subscriber may leave unread before there is a gap; None: not known.
    event_capacity: int | None = None
    # Seconds for one probe.
    timeout: float = 60.0

    @abstractmethod
    def adaptor(self) -> AbstractAsyncContextManager[OrchestrationPlaneAdaptor]:
        """A fresh adaptor for one probe; when the context is left, nothing of it remains.

        Some work is ready to claim: four items, or two for each kind of
        workspace where that is more, and not above a hundred.
        """

    async def session_starter(self, adaptor: Any) -> Session:
        """A new session; by default one of a new assignment."""
        reservation = await self.assignment(adaptor)
        started: Session = await adaptor.start_session(reservation.id, SessionPrompt())
        return started

    async def assignment(self, adaptor: OrchestrationPlaneAdaptor) -> Reservation:
        """A new reservation, with a workspace if any is on offer: ready for its session."""
        reservation = await self.claim(adaptor)
        if adaptor.describe().workspace_kinds:
            request = WorkspaceRequest(assignment_id=reservation.id, repository=self.repository)
            await adaptor.acquire_workspace(request)
        return reservation

    async def claim(self, adaptor: OrchestrationPlaneAdaptor) -> Reservation:
        """A new reservation, for the first agent that there is."""
        found = await adaptor.claim_next_ready(ReadyFilter(), await self.claimant(adaptor))
        if found is None:
            raise NotApplicable("nothing is ready to claim; `adaptor` must open with work")
        return found

    async def claimant(self, adaptor: OrchestrationPlaneAdaptor) -> AgentRef:
        """Who claims; by default the first agent that there is."""
        agents = await adaptor.list_agents(AgentFilter())
        return agents[0] if agents else AgentRef(id="conformance", name="conformance")

    async def pass_time(self, adaptor: Any, moment: datetime) -> None:
        """Let it be later than `moment` for the adaptor; by default by sleeping, a little."""
        left = (moment - datetime.now(UTC)).total_seconds()
        if left > _PATIENCE:
            raise missing("pass_time")
        await asyncio.sleep(max(left, 0) + 0.01)

    async def begin_turn(self, adaptor: Any, session_id: str) -> None:
        """Let the session's agent begin a turn."""
        raise missing("begin_turn")

    async def end_turn(self, adaptor: Any, session_id: str) -> None:
        """Let the turn that was begun come to its end."""
        raise missing("end_turn")

    async def run_reaper(self, adaptor: Any) -> None:
        """Let the adaptor's reaper run once, for which all sessions are idle long enough."""
        raise missing("run_reaper")

    async def open_escalation(
        self, adaptor: Any, session_id: str, urgency: EscalationUrgency
    ) -> str:
        """Let the session's agent need a person; the escalation's id."""
        raise missing("open_escalation")

    async def end_by_provider(self, adaptor: Any, session_id: str) -> None:
        """Let the agent fail by itself: its program crashes, or its connection breaks."""
        raise missing("end_by_provider")

    async def write_in_workspace(
        self, adaptor: Any, workspace: Workspace, path: str, data: bytes
    ) -> bool:
        """Try to write a file as an agent in that workspace would; whether it landed.

        `path` is absolute, or relative to the workspace. It landed if the data
        is there for everybody: a write that only its own sandbox sees did not.
        """
        raise missing("write_in_workspace")

    async def isolation_holds(self, adaptor: Any, workspace: Workspace, capability: str) -> bool:
        """Try whether what the manifest claims (`net_isolated`, ...) is enforced there."""
        raise missing("isolation_holds")

    async def leftovers(self, adaptor: Any, session_id: str) -> list[str]:
        """What there still is of the session: processes, panes, sockets, worktrees, queues."""
        raise missing("leftovers")

    def another(self, adaptor: Any) -> AbstractAsyncContextManager[OrchestrationPlaneAdaptor]:
        """A second adaptor on the runtime of the first, as another process would open it."""
        raise missing("another")

    def degrade(self, adaptor: Any) -> AbstractAsyncContextManager[None]:
        """The adaptor's runtime is out of reach while the block lasts."""
        raise missing("degrade")
