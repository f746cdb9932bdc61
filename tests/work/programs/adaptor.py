"""An adaptor over the queue of the home, whose agents do at once what their task says.

With `fail` in it the session fails, with `stay` it goes on for ever, with `leave` it ends with
the work undone, with `say` it says in its log that it is done; else the work is done, and the
session over. The repository `/none` is none.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from gemba_core import home
from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.feed import CAPACITY
from gemba_core.orchestration.noop import Noop, ReadyItem
from gemba_core.orchestration.noop.memory import now
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import Session, SessionEndMode, SessionPrompt
from gemba_core.orchestration.work.queue import Queue
from gemba_core.orchestration.work.report import say_done
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest

AGENTS = [AgentRef(id="ada", name="Ada"), AgentRef(id="bob", name="Bob")]


class Prompt(Noop):
    """Noop with such agents."""

    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        if request.repository == "/none":
            raise AdaptorError(ErrorKind.VALIDATION, "/none: no such folder")
        return await super().acquire_workspace(request)

    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        session = await super().start_session(assignment_id, prompt)
        self._work = asyncio.ensure_future(self._do(session, prompt.text or ""))
        return session

    async def _do(self, session: Session, task: str) -> None:
        if "stay" in task:
            return
        if "fail" in task:
            self.crash(session.id)
            return
        id = self._assignment(session.assignment_id).work_item_id or ""
        if "say" in task:
            say_done(session.id, id, "said")
        elif "leave" not in task:
            await Queue(home.work_path()).complete(id)
        await self.end_session(session.id, SessionEndMode.COMPLETED, new_nonce())


@asynccontextmanager
async def open_prompt() -> AsyncIterator[Prompt]:
    """The adaptor, with two agents."""
    yield await _over_queue(AGENTS)


@asynccontextmanager
async def open_lonely() -> AsyncIterator[Prompt]:
    """The adaptor, with one."""
    yield await _over_queue(AGENTS[:1])


async def _over_queue(agents: list[AgentRef]) -> Prompt:
    ready = await Queue(home.work_path()).list_ready(ReadyFilter())
    return Prompt(
        [ReadyItem(id=item.id, labels=item.labels) for item in ready],
        agents=agents,
        ttl=timedelta(minutes=10),
        capacity=CAPACITY,
        clock=now,
    )
