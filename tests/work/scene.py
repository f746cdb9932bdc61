"""Noop, which can be stopped at its steps, over the items of a real queue."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta

from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import AssignmentStatus, ReadyFilter, Reservation
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.feed import CAPACITY
from gemba_core.orchestration.noop import Noop, ReadyItem
from gemba_core.orchestration.noop.memory import now
from gemba_core.orchestration.session import Session, SessionPrompt
from gemba_core.orchestration.work.dispatch import Dispatched, dispatched
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.queue import NewItem, Queue
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest, WorkspaceStatus

ADA = AgentRef(id="ada", name="ada")
STEPS = ("claim_next_ready", "acquire_workspace", "start_session")


class Stepped(Noop):
    """Noop, stopped before or after one of its steps: there it fails, or is waited for.

    `nowhere` is a repository that there is not.
    """

    stop: str | None = None
    error: Exception | None = None
    nowhere: str | None = None

    def stop_at(self, where: str, error: Exception | None = None) -> None:
        """Fail there, or without an error wait until `go`."""
        self.stop, self.error = where, error
        self.is_there, self.go = asyncio.Event(), asyncio.Event()

    async def _reach(self, where: str) -> None:
        if self.stop != where:
            return
        if self.error:
            raise self.error
        self.is_there.set()
        await self.go.wait()

    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        await self._reach("before claim_next_ready")
        made = await super().claim_next_ready(filter, claimant)
        await self._reach("after claim_next_ready")
        return made

    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        await self._reach("before acquire_workspace")
        if request.repository == self.nowhere:
            raise AdaptorError(ErrorKind.VALIDATION, f"{self.nowhere}: no such folder")
        made = await super().acquire_workspace(request)
        await self._reach("after acquire_workspace")
        return made

    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        await self._reach("before start_session")
        made = await super().start_session(assignment_id, prompt)
        await self._reach("after start_session")
        return made


@dataclass
class Scene:
    """An adaptor and a queue that know the same items."""

    plane: Stepped
    queue: Queue
    ids: list[str]

    def dispatched(self) -> AbstractAsyncContextManager[Dispatched | None]:
        """Dispatch for ada."""
        return dispatched(self.plane, self.queue, claimant=ADA, repository="/here")

    async def item(self, id: str = "") -> WorkItem:
        """The first item, or that one, as the queue has it."""
        return await self.queue.read(id or self.ids[0])

    async def is_clean(self) -> bool:
        """Whether nothing is left of any dispatch: every item is ready, everything is released."""
        seen = await self.plane.observed_state()
        ready = await self.queue.list_ready(ReadyFilter())
        return (
            [item.id for item in ready] == self.ids
            and all(one.status is WorkspaceStatus.RELEASED for one in seen.workspaces)
            and all(one.status.is_terminal for one in seen.sessions)
            and all(one.status is AssignmentStatus.CANCELED for one in seen.assignments)
        )


def run(queue: Queue, story: Callable[[Scene], Awaitable[None]], items: int = 2) -> None:
    """Play it with so many items."""

    async def play() -> None:
        new = [NewItem(title=f"Do {number}", repository="/r") for number in range(items)]
        ids = [(await queue.add(one)).id for one in new]
        await story(Scene(stepped(ids), queue, ids))

    asyncio.run(play())


def stepped(ids: Iterable[str]) -> Stepped:
    """The adaptor, with these items to claim."""
    return Stepped(
        [ReadyItem(id=id) for id in ids],
        agents=[ADA],
        ttl=timedelta(minutes=10),
        capacity=CAPACITY,
        clock=now,
    )
