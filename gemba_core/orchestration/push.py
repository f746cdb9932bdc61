"""A session for work that nobody claimed: an agent is told what to do.

Source: spec 003, "Assignment protocol (canonical: pull)": push is an alternative
that adaptors declare.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.assignment import Assignment
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import Session, SessionPrompt
from gemba_core.orchestration.step import taken, whole
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind, WorkspaceRequest


@runtime_checkable
class Pushing(OrchestrationPlaneAdaptor, Protocol):
    """An adaptor whose manifest has the strategy `push`."""

    async def assign(self, agent_id: str, work_item_id: str | None = None) -> Assignment:
        """An assignment of that agent's, reserved as a claimed one is.

        Emits reservation_claimed. Errors: session_not_found for an unknown agent.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """What an agent is to do, and where; no `kind`: in no workspace, and so unscoped."""

    agent_id: str
    work_item_id: str | None = None
    prompt: SessionPrompt = field(default_factory=SessionPrompt)
    kind: WorkspaceKind | None = None
    repository: str = "."
    branch: str | None = None


async def pushed(
    adaptor: OrchestrationPlaneAdaptor, push: Push
) -> tuple[Session, Workspace | None]:
    """Start it; where a step fails, or is cancelled, the ones before it are undone.

    Raises AdaptorError: unsupported where the adaptor takes no pushed work.
    """
    if not isinstance(adaptor, Pushing):
        told = f"{adaptor.describe().adaptor_id} starts sessions for claimed work alone"
        raise AdaptorError(ErrorKind.UNSUPPORTED, told)
    workspace = None
    async with AsyncExitStack() as undo:
        assignment = await taken(
            adaptor.assign(push.agent_id, push.work_item_id),
            undo,
            lambda made: adaptor.release_reservation(made.id),
        )
        if push.kind is not None:
            request = WorkspaceRequest(
                assignment_id=assignment.id,
                repository=push.repository,
                branch=push.branch,
                preferred_kind=push.kind,
            )
            # Given back with the reservation, if it comes to that.
            workspace = await whole(asyncio.ensure_future(adaptor.acquire_workspace(request)))
        session = await adaptor.start_session(assignment.id, push.prompt)
        undo.pop_all()
    return session, workspace
