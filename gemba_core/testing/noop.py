"""The reference adaptor as a subject: an example of every override."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta

from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationKind,
    EscalationUrgency,
)
from gemba_core.orchestration.noop import Noop, ReadyItem, open_noop
from gemba_core.orchestration.workspace import Workspace, WorkspaceStatus
from gemba_core.testing.subject import Subject

_WORK = tuple(ReadyItem(id=f"item-{number}") for number in range(8))


class NoopSubject(Subject):
    """What agents, users and time would do is done by hand.

    `kind` may be a class that is derived from the reference.
    """

    kind: type[Noop] = Noop
    event_capacity = 20

    def adaptor(self) -> AbstractAsyncContextManager[Noop]:
        return open_noop(lambda: self.kind(_WORK, capacity=self.event_capacity))

    async def pass_time(self, adaptor: Noop, moment: datetime) -> None:
        left = max(moment - adaptor.clock(), timedelta())
        adaptor.clock = lambda: datetime.now(UTC) + left

    async def begin_turn(self, adaptor: Noop, session_id: str) -> None:
        adaptor.begin_turn(session_id)

    async def end_turn(self, adaptor: Noop, session_id: str) -> None:
        adaptor.end_turn(session_id)

    async def run_reaper(self, adaptor: Noop) -> None:
        adaptor.reap(idle=timedelta())

    async def open_escalation(
        self, adaptor: Noop, session_id: str, urgency: EscalationUrgency
    ) -> str:
        return adaptor.escalate(session_id, urgency, EscalationKind.PERMISSION_PROMPT).id

    async def end_by_provider(self, adaptor: Noop, session_id: str) -> None:
        adaptor.crash(session_id)

    async def write_in_workspace(
        self, adaptor: Noop, workspace: Workspace, path: str, data: bytes
    ) -> bool:
        return adaptor.write(workspace.id, path, data)

    async def leftovers(self, adaptor: Noop, session_id: str) -> list[str]:
        observed = await adaptor.observed_state()
        mine = {one.assignment_id for one in observed.sessions if one.id == session_id}
        kept = [
            one.id
            for one in observed.workspaces
            if one.assignment_id in mine and one.status is not WorkspaceStatus.RELEASED
        ]
        asked = await adaptor.list_open_escalations(EscalationFilter())
        return kept + [one.id for one in asked if one.session_id == session_id]

    @asynccontextmanager
    async def another(self, adaptor: Noop) -> AsyncIterator[Noop]:
        yield adaptor.another()

    @asynccontextmanager
    async def degrade(self, adaptor: Noop) -> AsyncIterator[None]:
        adaptor.degraded = "the runtime restarts"
        try:
            yield
        finally:
            adaptor.degraded = None
