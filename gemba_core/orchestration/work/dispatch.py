"""From ready work to an agent at work: claim, claim with the WorkPlane, acquire, start.

Every step that was done is undone when a later one fails, or the caller is
cancelled. Source: spec 003, "Assignment protocol (canonical: pull)".
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import ReadyFilter, Reservation
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.event import EventKind, SubscribeFilter
from gemba_core.orchestration.scope import new_nonce, run_session
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionPrompt,
    too_long,
)
from gemba_core.orchestration.step import taken
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.orchestration.work.report import pass_on
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind, WorkspaceRequest

# Enough to get past what others claim at the same moment; not so many that a plane that lists
# what is long done keeps us for ever.
MOST_CANDIDATES = 20
# What the WorkPlane says of an item that is not to be had: the next one is tried.
_NOT_TO_BE_HAD = (ErrorKind.SESSION_CLOSED, ErrorKind.SESSION_NOT_FOUND)

T = TypeVar("T")
_Exit: TypeAlias = Callable[..., Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Dispatched:
    """A work item, and the agent that has it.

    `skipped` tells of the items before it whose own repository is none, or that are too long.
    """

    item: WorkItem
    workspace: Workspace
    session: Session
    skipped: tuple[AdaptorError, ...] = ()


@asynccontextmanager
async def dispatched(
    plane: OrchestrationPlaneAdaptor,
    work: WorkPlane,
    *,
    claimant: AgentRef,
    repository: str,
    filter: ReadyFilter | None = None,
    kind: WorkspaceKind | None = None,
) -> AsyncIterator[Dispatched | None]:
    """The next ready item with an agent on it, while the block lasts; None where none is ready.

    An item whose own repository is none, or that is more than an agent can be told,
    is passed over, unless there is no other.
    `repository` is where an item is done that names none, `kind` the kind of
    workspace that it gets, else the adaptor's default. The WorkPlane's claim is
    made under the reservation's id. Leaving the block ends the session; the
    claim stays, since only the agent or a person can tell whether the work is
    done: unless the block raises, or is cancelled, before the agent has said so.
    Raises AdaptorError, LogError, and what the block raises.
    """

    def request(assignment_id: str, item: WorkItem) -> WorkspaceRequest:
        return WorkspaceRequest(
            assignment_id=assignment_id,
            repository=item.repository or repository,
            preferred_kind=kind or plane.describe().default_workspace_kind,
        )

    async with AsyncExitStack() as undo:
        placed = await _placed(plane, work, claimant, filter or ReadyFilter(), request, undo)
        if placed is None:
            yield None
            return
        item = placed.item
        session = await undo.enter_async_context(
            run_session(plane, placed.assignment_id, SessionPrompt(text=task(item)))
        )
        try:
            yield Dispatched(item, placed.workspace, session, placed.skipped)
        except BaseException:
            # If the agent has said that the work is done, there is nothing to give back.
            await pass_on(work, item, session.id)
            raise


async def until_ended(plane: OrchestrationPlaneAdaptor, session_id: str) -> Session:
    """Wait until that session has ended; the session as it ended. Raises AdaptorError."""
    wanted = SubscribeFilter(session_id=session_id, kinds=(EventKind.SESSION_TRANSITION,))
    async with plane.subscribe(wanted) as events:
        # Asked anew after each event: it may have ended before we subscribed, or within a gap.
        while not (await plane.peek_session(session_id)).status.is_terminal:
            if await anext(events, None) is None:
                told = (
                    f"{session_id}: its adaptor tells no more; see gemba sessions show {session_id}"
                )
                raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told)
    # On a session that has ended it does nothing but give it.
    return await plane.end_session(session_id, SessionEndMode.COMPLETED, new_nonce())


def task(item: WorkItem) -> str:
    """What the agent is told of its work."""
    parts = [
        f"Your work item is {item.id}: {item.title}",
        item.description,
        f"When it is done, and only then, run: gemba work done {item.id}",
    ]
    return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Placed:
    """An item that is claimed, and where the work on it is to be done."""

    assignment_id: str
    item: WorkItem
    workspace: Workspace
    skipped: tuple[AdaptorError, ...]


async def _placed(
    plane: OrchestrationPlaneAdaptor,
    work: WorkPlane,
    claimant: AgentRef,
    filter: ReadyFilter,
    request: Callable[[str, WorkItem], WorkspaceRequest],
    undo: AsyncExitStack,
) -> _Placed | None:
    """The next item, reserved, claimed and placed; what undoes it is left in `undo`.

    What cannot be had, or placed, stays reserved until we have another one, so that
    the plane does not offer it to us again.
    """
    skipped: list[AdaptorError] = []
    async with AsyncExitStack() as attempts:
        for _ in range(MOST_CANDIDATES):
            attempt = await attempts.enter_async_context(AsyncExitStack())
            reservation = await taken(
                plane.claim_next_ready(filter, claimant), attempt, _releasing(plane)
            )
            if reservation is None:
                break
            item = await _claimed(work, reservation, claimant, attempt)
            if item is None:
                continue
            try:
                _check_length(item)
                workspace = await taken(
                    plane.acquire_workspace(request(reservation.id, item)),
                    attempt,
                    lambda made: plane.release_workspace(made.id),
                )
            except AdaptorError as error:
                named = _named(item, error)
                if error.kind is not ErrorKind.VALIDATION or not _is_its_own(item):
                    raise named from error
                await work.release(item.id, ConfirmNonce(reservation.id))
                skipped.append(named)
                continue
            undo.push_async_exit(attempt.pop_all())
            return _Placed(reservation.id, item, workspace, tuple(skipped))
        else:
            if not skipped:
                raise _too_many(plane)
    if skipped:
        raise skipped[0]
    return None


async def _claimed(
    work: WorkPlane, reservation: Reservation, claimant: AgentRef, undo: AsyncExitStack
) -> WorkItem | None:
    """The item, claimed under the reservation's id; None where the WorkPlane refuses it."""
    nonce = ConfirmNonce(reservation.id)
    # Before the claim: one that fails halfway is undone too.
    undo.push_async_exit(_giving_back(work, reservation.work_item_id, nonce))
    try:
        return await work.claim(reservation.work_item_id, claimant.id, nonce)
    except AdaptorError as error:
        if error.kind not in _NOT_TO_BE_HAD:
            raise
        return None


def _check_length(item: WorkItem) -> None:
    why = too_long(item.title + item.description)
    if why:
        raise AdaptorError(ErrorKind.VALIDATION, why)


def _is_its_own(item: WorkItem) -> bool:
    """Whether it is about this item that it cannot be done, so that another one may.

    Where it names no repository of its own, every other one would fail like it.
    """
    return item.repository is not None or bool(too_long(item.title + item.description))


def _named(item: WorkItem, error: AdaptorError) -> AdaptorError:
    return AdaptorError(
        error.kind,
        f"{item.id}: {error.message}",
        retryable=error.retryable,
        cause=error,
        detail=error.detail,
    )


def _too_many(plane: OrchestrationPlaneAdaptor) -> AdaptorError:
    told = (
        f"none of {MOST_CANDIDATES} items that {plane.describe().adaptor_id} offered could be "
        "claimed; compare `gemba work list` with what it offers, then try again"
    )
    return AdaptorError(ErrorKind.REQUEST_FAILED, told)


def _releasing(
    plane: OrchestrationPlaneAdaptor,
) -> Callable[[Reservation | None], Awaitable[None]]:
    async def release(made: Reservation | None) -> None:
        if made is not None:
            await plane.release_reservation(made.id)

    return release


def _giving_back(work: WorkPlane, work_item_id: str, nonce: ConfirmNonce) -> _Exit:
    """Gives the claim back, but only where something went wrong."""

    async def give_back(kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            await work.release(work_item_id, nonce)

    return give_back
