"""What the reference adaptor does where the contract leaves it free, and what it leaves behind."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.agent import AgentFilter, AgentRef
from gemba_core.orchestration.assignment import AssignmentStatus, ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationKind,
    EscalationResolution,
    EscalationResolutionKind,
    EscalationUrgency,
)
from gemba_core.orchestration.noop import Noop, ReadyItem, open_noop
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import (
    Session,
    SessionCloseReason,
    SessionEndMode,
    SessionPrompt,
    SessionStatus,
)
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest, WorkspaceStatus

_AGENT = AgentRef(id="agent", name="agent")
_START = datetime(2030, 1, 2, tzinfo=UTC)
_WORK = (
    ReadyItem(id="a", labels=("web", "css"), kind="bug", priority=2, repository="/r"),
    ReadyItem(id="b", kind="task", priority=1, sprint_id="12"),
)


class Clock:
    """A moment that the test moves."""

    def __init__(self) -> None:
        self.moment = _START

    def __call__(self) -> datetime:
        return self.moment


async def _claimed(adaptor: Noop) -> str:
    reservation = await adaptor.claim_next_ready(ReadyFilter(), _AGENT)
    assert reservation is not None
    return reservation.id


async def _workspace(adaptor: Noop, assignment_id: str) -> Workspace:
    request = WorkspaceRequest(assignment_id=assignment_id, repository="/r")
    return await adaptor.acquire_workspace(request)


async def _session(adaptor: Noop) -> Session:
    assignment_id = await _claimed(adaptor)
    await _workspace(adaptor, assignment_id)
    return await adaptor.start_session(assignment_id, SessionPrompt())


def test_it_has_the_contracts_shape() -> None:
    """Which the type checker sees at this assignment."""
    adaptor: OrchestrationPlaneAdaptor = Noop()
    assert adaptor.describe().adaptor_id == "noop"


@pytest.mark.parametrize(
    ("filter", "item"),
    [
        (ReadyFilter(), "a"),
        (ReadyFilter(labels=("css",)), "a"),
        (ReadyFilter(labels=("css", "go")), None),
        (ReadyFilter(kind="task"), "b"),
        (ReadyFilter(max_priority=1), "b"),
        (ReadyFilter(sprint_id="12"), "b"),
        (ReadyFilter(repository="/r"), "a"),
        (ReadyFilter(repository="/elsewhere"), None),
    ],
)
def test_work_is_claimed_as_the_filter_says(filter: ReadyFilter, item: str | None) -> None:
    """The first in its order that fits."""
    found = asyncio.run(Noop(_WORK).claim_next_ready(filter, _AGENT))
    assert (found and found.work_item_id) == item


def test_a_reservation_lasts_to_its_end_and_no_longer() -> None:
    """By the clock that it was given."""

    async def claims() -> list[str | None]:
        clock = Clock()
        found: list[str | None] = []
        adaptor = Noop(_WORK[:1], ttl=timedelta(minutes=5), clock=clock)
        for _ in range(3):
            reservation = await adaptor.claim_next_ready(ReadyFilter(), _AGENT)
            found.append(reservation.id if reservation else None)
            clock.moment += timedelta(minutes=2, seconds=30)
        return found

    assert asyncio.run(claims()) == ["assignment-1", None, "assignment-2"]


def test_an_expired_reservation_takes_its_workspace_along() -> None:
    """No session came to use it."""

    async def workspace() -> Workspace:
        clock = Clock()
        adaptor = Noop(clock=clock)
        acquired = await _workspace(adaptor, await _claimed(adaptor))
        clock.moment += timedelta(hours=1)
        return await adaptor.inspect_workspace(acquired.id)

    assert asyncio.run(workspace()).status is WorkspaceStatus.RELEASED


def test_a_reservation_that_was_given_back_starts_nothing() -> None:
    """Its assignment is known, and over."""

    async def refused() -> ErrorKind:
        adaptor = Noop()
        assignment_id = await _claimed(adaptor)
        await adaptor.release_reservation(assignment_id)
        with pytest.raises(AdaptorError) as caught:
            await adaptor.start_session(assignment_id, SessionPrompt())
        return caught.value.kind

    assert asyncio.run(refused()) is ErrorKind.SESSION_CLOSED


@pytest.mark.parametrize(
    ("mode", "status", "outcome"),
    [
        (SessionEndMode.COMPLETED, SessionStatus.COMPLETED, AssignmentStatus.FINISHED),
        (SessionEndMode.FAILED, SessionStatus.FAILED, AssignmentStatus.FAILED),
        (SessionEndMode.CANCELED, SessionStatus.COMPLETED, AssignmentStatus.CANCELED),
    ],
)
def test_an_end_is_that_of_the_assignment_too(
    mode: SessionEndMode, status: SessionStatus, outcome: AssignmentStatus
) -> None:
    """Finished, failed or canceled, as was intended."""

    async def ended() -> tuple[SessionStatus, AssignmentStatus]:
        adaptor = Noop()
        session = await adaptor.end_session((await _session(adaptor)).id, mode, new_nonce())
        (assignment,) = (await adaptor.observed_state()).assignments
        return session.status, assignment.status

    assert asyncio.run(ended()) == (status, outcome)


def test_costs_are_summed_for_the_assignment() -> None:
    """Tokens as the turns tell them, and the time that they took."""

    async def spent() -> tuple[int, float]:
        clock = Clock()
        adaptor = Noop(clock=clock)
        session = await _session(adaptor)
        for tokens in (3, 4):
            adaptor.begin_turn(session.id)
            clock.moment += timedelta(seconds=10)
            adaptor.end_turn(session.id, tokens=tokens)
        await adaptor.end_session(session.id, SessionEndMode.COMPLETED, new_nonce())
        (assignment,) = (await adaptor.observed_state()).assignments
        assert assignment.cost is not None
        return assignment.cost.tokens_total, assignment.cost.wallclock_seconds

    assert asyncio.run(spent()) == (7, 20.0)


def test_a_session_that_was_refused_waits_for_its_caller() -> None:
    """A no does not let it go on; resuming it does."""

    async def statuses() -> list[SessionStatus]:
        adaptor = Noop()
        session = await _session(adaptor)
        asked = adaptor.escalate(
            session.id, EscalationUrgency.BLOCKING, EscalationKind.HITL_APPROVAL
        )
        no = EscalationResolution(kind=EscalationResolutionKind.DENY, resolved_by="ada")
        await adaptor.resolve_escalation(asked.id, no, new_nonce())
        refused = (await adaptor.peek_session(session.id)).status
        resumed = (await adaptor.resume_session(session.id, new_nonce())).status
        return [refused, resumed]

    assert asyncio.run(statuses()) == [SessionStatus.SUSPENDED, SessionStatus.READY]


def test_a_paused_session_stays_paused_when_it_is_answered() -> None:
    """An answer undoes the block, not the pause."""

    async def status() -> SessionStatus:
        adaptor = Noop()
        session = await _session(adaptor)
        asked = adaptor.escalate(
            session.id, EscalationUrgency.BLOCKING, EscalationKind.HITL_APPROVAL
        )
        await adaptor.pause_session(session.id, new_nonce())
        yes = EscalationResolution(kind=EscalationResolutionKind.APPROVE, resolved_by="ada")
        await adaptor.resolve_escalation(asked.id, yes, new_nonce())
        return (await adaptor.peek_session(session.id)).status

    assert asyncio.run(status()) is SessionStatus.SUSPENDED


def test_the_reaper_spares_who_was_there_lately() -> None:
    """And says of the others that they were idle."""

    async def reasons() -> list[SessionCloseReason | None]:
        clock = Clock()
        adaptor = Noop(clock=clock)
        await _session(adaptor)
        clock.moment += timedelta(minutes=2)
        await _session(adaptor)
        adaptor.reap(idle=timedelta(minutes=1))
        return [session.close_reason for session in (await adaptor.observed_state()).sessions]

    assert asyncio.run(reasons()) == [SessionCloseReason.IDLE_TIMEOUT, None]


@pytest.mark.parametrize(
    ("path", "lands"),
    [("a/b.txt", True), ("a/../b.txt", True), ("../b.txt", False), ("..", False), ("/b", False)],
)
def test_a_workspace_is_written_to_within_it(path: str, lands: bool) -> None:
    """Whatever way the path goes."""

    async def landed() -> bool:
        adaptor = Noop()
        workspace = await _workspace(adaptor, await _claimed(adaptor))
        assert adaptor.write(workspace.id, path, b"x") == bool(adaptor.files)
        return bool(adaptor.files)

    assert asyncio.run(landed()) == lands


def test_groups_and_agents_are_those_that_it_was_given() -> None:
    """A group of all, and no agent under another."""

    async def seen() -> list[object]:
        adaptor = Noop(agents=(_AGENT,))
        (group,) = await adaptor.list_groups()
        return [
            group.members.static,
            await adaptor.list_agents(AgentFilter(group_id=group.id)),
            await adaptor.list_agents(AgentFilter(parent_id="agent")),
        ]

    assert asyncio.run(seen()) == [("agent",), (_AGENT,), ()]


def test_escalations_of_a_workspace_are_found() -> None:
    """By the workspace that their session's assignment has."""

    async def found() -> list[int]:
        adaptor = Noop()
        session = await _session(adaptor)
        adaptor.escalate(session.id, EscalationUrgency.ADVISORY, EscalationKind.QUESTION)
        filters = [EscalationFilter(workspace=id) for id in ("workspace-1", "workspace-2")]
        return [len(await adaptor.list_open_escalations(filter)) for filter in filters]

    assert asyncio.run(found()) == [1, 0]


def test_nothing_is_left_when_it_is_closed() -> None:
    """No session, no workspace, no file, no reservation, and no task."""

    async def left() -> tuple[list[object], dict[str, bytes], int]:
        async with open_noop() as adaptor:
            await _session(adaptor)
            workspace = await _workspace(adaptor, await _claimed(adaptor))
            adaptor.write(workspace.id, "file", b"x")
        observed = await adaptor.observed_state()
        live: list[object] = [one for one in observed.sessions if not one.status.is_terminal]
        live += [one for one in observed.workspaces if one.status is not WorkspaceStatus.RELEASED]
        live += [one for one in observed.assignments if one.status is AssignmentStatus.PENDING]
        return live, adaptor.files, len(asyncio.all_tasks())

    assert asyncio.run(left()) == ([], {}, 1)
