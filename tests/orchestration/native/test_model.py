"""Whatever is done with sessions, the native adaptor answers as the reference does."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gemba_core.orchestration.agent import AgentFilter, AgentKind
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
    EscalationResolutionKind,
    EscalationUrgency,
)
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionPeek,
    SessionPrompt,
    SessionStatus,
)
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind, WorkspaceRequest
from gemba_core.testing import Subject
from gemba_core.testing.native import NativeSubject
from gemba_core.testing.noop import NoopSubject
from tests.orchestration.native.conftest import git

ASSIGNMENTS = 2
nonces = st.sampled_from([ConfirmNonce("a"), ConfirmNonce("b")])
numbers = st.integers(0, ASSIGNMENTS - 1)
# None is the weakest one, and the last is not on offer.
kinds = st.sampled_from(
    [None, WorkspaceKind.SUBPROCESS, WorkspaceKind.WORKTREE, WorkspaceKind.CONTAINER]
)
# Of the assignment that has that number, or of any.
some = st.none() | numbers


class Patient(NativeSubject):
    """As the reference: nothing expires within an example, however slow the machine is."""

    ttl = 600.0


@dataclass
class Side:
    """One of the two adaptors, and its own ids of what both have.

    By the number of the assignment: its session and its last workspace, under
    an id that neither has as long as there is none.
    """

    subject: Subject
    adaptor: Any
    assignments: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    workspaces: list[str] = field(default_factory=list)
    escalations: list[str] = field(default_factory=list)


class Both(RuleBasedStateMachine):
    """The same calls to the reference and to the native adaptor; their answers are compared."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.sides: list[Side] = []

    @initialize(
        placed=st.lists(kinds, min_size=ASSIGNMENTS, max_size=ASSIGNMENTS),
        begun=st.sets(numbers, min_size=1),
    )
    def open(self, placed: list[WorkspaceKind | None], begun: set[int]) -> None:
        """Both with assignments, workspaces of them, and sessions of some."""
        native = Patient()
        for subject in (NoopSubject(), native):
            opened = self.stack.enter_async_context(subject.adaptor())
            self.sides.append(Side(subject, self.runner.run(opened)))
        git(native.repository, "clone", "-q", ".", _another(native))
        for number, kind in enumerate(placed):
            self.compare(_claimed)
            self.acquire(number, kind, other=False, branch=None)
        for number in begun:
            self.start(number)

    def teardown(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()

    @rule(number=numbers, urgency=st.sampled_from(EscalationUrgency))
    def ask(self, number: int, urgency: EscalationUrgency) -> None:
        """Its agent needs a person, if it is there to need one."""

        async def asked(side: Side) -> bool:
            id = side.sessions[number]
            observed = await side.adaptor.observed_state()
            is_live = id in {one.id for one in observed.sessions if not one.status.is_terminal}
            if is_live:
                opened = await side.subject.open_escalation(side.adaptor, id, urgency)
                side.escalations.append(opened)
            return is_live

        self.about(number, asked)

    @precondition(lambda self: self.sides[0].escalations)
    @rule(data=st.data(), kind=st.sampled_from(EscalationResolutionKind), nonce=nonces)
    def resolve(
        self, data: st.DataObject, kind: EscalationResolutionKind, nonce: ConfirmNonce
    ) -> None:
        """Somebody decides, perhaps too late."""
        number = data.draw(st.integers(0, len(self.sides[0].escalations) - 1))
        resolution = EscalationResolution(kind=kind, resolved_by="ada", value="go on")

        async def decided(side: Side) -> EscalationRequest:
            id = side.escalations[number]
            done: EscalationRequest = await side.adaptor.resolve_escalation(id, resolution, nonce)
            # Whether a no leaves it suspended is the adaptor's own affair: its caller resumes it.
            if kind in (EscalationResolutionKind.DENY, EscalationResolutionKind.DEFER):
                await _outcome(side.adaptor.resume_session(done.session_id, new_nonce()))
            return done

        self.compare(decided)
        for each in range(ASSIGNMENTS):
            self.look(each)

    @rule(number=numbers, kind=kinds, other=st.booleans(), branch=st.sampled_from([None, "a", "b"]))
    def acquire(
        self, number: int, kind: WorkspaceKind | None, other: bool, branch: str | None
    ) -> None:
        """An assignment gets a workspace, if it can have that one."""

        async def acquired(side: Side) -> Workspace:
            request = WorkspaceRequest(
                assignment_id=side.assignments[number],
                repository=_another(side.subject) if other else side.subject.repository,
                # Only a worktree is on a branch, and no two are on one.
                branch=f"{branch}-{number}" if branch and kind is WorkspaceKind.WORKTREE else None,
                preferred_kind=kind,
            )
            workspace: Workspace = await side.adaptor.acquire_workspace(request)
            side.workspaces[number] = workspace.id
            return workspace

        self.about(number, acquired)

    @rule(number=numbers)
    def vacate(self, number: int) -> None:
        """Its workspace is given back."""
        self.about(number, lambda side: side.adaptor.release_workspace(side.workspaces[number]))

    @rule(number=numbers, nonce=nonces)
    def pause(self, number: int, nonce: ConfirmNonce) -> None:
        """It is paused, perhaps once more."""
        self.about(number, lambda side: side.adaptor.pause_session(side.sessions[number], nonce))

    @rule(number=numbers, nonce=nonces)
    def resume(self, number: int, nonce: ConfirmNonce) -> None:
        """It goes on."""
        self.about(number, lambda side: side.adaptor.resume_session(side.sessions[number], nonce))

    @rule(number=numbers, mode=st.sampled_from(SessionEndMode), nonce=nonces)
    def end(self, number: int, mode: SessionEndMode, nonce: ConfirmNonce) -> None:
        """It ends."""
        self.about(
            number, lambda side: side.adaptor.end_session(side.sessions[number], mode, nonce)
        )

    @rule(number=numbers)
    def start(self, number: int) -> None:
        """An assignment gets its session."""

        async def begun(side: Side) -> Session:
            id = side.assignments[number]
            session: Session = await side.adaptor.start_session(id, SessionPrompt())
            side.sessions[number] = session.id
            return session

        self.about(number, begun)

    @rule(number=numbers)
    def release(self, number: int) -> None:
        """A reservation is given back."""
        self.about(number, lambda side: side.adaptor.release_reservation(side.assignments[number]))

    @rule(urgency=st.none() | st.sampled_from(EscalationUrgency), number=some, place=some)
    def list_escalations(
        self, urgency: EscalationUrgency | None, number: int | None, place: int | None
    ) -> None:
        """What is open is asked: of an urgency, of an assignment, of a workspace."""

        async def listed(side: Side) -> tuple[EscalationRequest, ...]:
            filter = EscalationFilter(
                urgency=urgency,
                assignment_id=None if number is None else side.assignments[number],
                workspace=None if place is None else side.workspaces[place],
            )
            found: tuple[EscalationRequest, ...] = await side.adaptor.list_open_escalations(filter)
            return found

        self.compare(listed)

    @rule(kind=st.none() | st.sampled_from(AgentKind), group=st.booleans(), parent=st.booleans())
    def list_agents(self, kind: AgentKind | None, group: bool, parent: bool) -> None:
        """Agents are asked for: of a kind, of the first group, under another."""

        async def listed(side: Side) -> int:
            groups = await side.adaptor.list_groups()
            filter = AgentFilter(
                agent_kind=kind,
                group_id=groups[0].id if group else None,
                parent_id="another" if parent else None,
            )
            return len(await side.adaptor.list_agents(filter))

        self.compare(listed)

    def about(self, number: int, call: Callable[[Side], Awaitable[Any]]) -> None:
        """As `compare`; and so is then how the assignment of that number stands."""
        self.compare(call)
        self.look(number)

    def look(self, number: int) -> None:
        """At its session, at what that waits for, and at its workspace."""
        self.compare(lambda side: side.adaptor.peek_session(side.sessions[number]))
        self.compare(lambda side: side.adaptor.list_pending_requests(side.sessions[number]))
        self.compare(lambda side: side.adaptor.inspect_workspace(side.workspaces[number]))

    def compare(self, call: Callable[[Side], Awaitable[Any]]) -> None:
        """Both answer alike, as far as that can be compared."""
        mine, other = (_shape(side, self.runner.run(_outcome(call(side)))) for side in self.sides)
        assert mine == other


async def _claimed(side: Side) -> None:
    """One more work item is reserved; of those with a label that there is not, none is."""
    (claimant,) = await side.adaptor.list_agents(AgentFilter())
    nothing = ReadyFilter(labels=("no-such-label",))
    assert await side.adaptor.claim_next_ready(nothing, claimant) is None
    reservation = await side.adaptor.claim_next_ready(ReadyFilter(), claimant)
    for ids in (side.assignments, side.sessions, side.workspaces):
        ids.append(reservation.id)


def _another(subject: Subject) -> str:
    """A second repository."""
    return f"{subject.repository}-another"


async def _outcome(call: Awaitable[Any]) -> Any:
    """What it gives; an error's kind."""
    try:
        return await call
    except AdaptorError as error:
        return error.kind


def _shape(side: Side, found: Any) -> object:
    """As much of it as both must have alike; ids by their place among the others."""
    if isinstance(found, tuple):
        return [_shape(side, one) for one in found]
    if isinstance(found, Session):
        return _stands(found.status), found.close_reason
    if isinstance(found, SessionPeek):
        # What a session has shown is gone with it, or not.
        return _stands(found.status), found.status.is_terminal or found.transcript is not None
    if isinstance(found, Workspace):
        place = side.assignments.index(found.assignment_id or "")
        return place, found.kind, found.status, found.isolation, found.released_at is None
    if isinstance(found, EscalationRequest):
        done = found.resolution
        return (
            side.escalations.index(found.id),
            side.sessions.index(found.session_id or ""),
            found.urgency,
            found.state,
            done and (done.kind, done.resolved_by, done.value),
        )
    return found


def _stands(status: SessionStatus) -> str:
    """What an agent is at, at the very moment, is its own affair."""
    if status.is_terminal or status is SessionStatus.SUSPENDED:
        return status.value
    return "live"


@pytest.mark.parametrize(
    ("examples", "steps"),
    [
        pytest.param(6, 10, id="few"),
        pytest.param(60, 20, id="many", marks=[pytest.mark.torture, pytest.mark.timeout(900)]),
    ],
)
def test_any_course_is_answered_as_by_the_reference(bwrap: None, examples: int, steps: int) -> None:
    """Some of the many courses."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        # An example takes seconds, and a shorter one is not worth minutes.
        phases=(Phase.reuse, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Both, settings=chosen)
