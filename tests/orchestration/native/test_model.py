"""Whatever is done with sessions, the native adaptor answers as the reference does."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gemba_core.orchestration.agent import AgentFilter
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.escalation import EscalationUrgency
from gemba_core.orchestration.session import ConfirmNonce, Session, SessionEndMode, SessionPrompt
from gemba_core.testing import Subject
from gemba_core.testing.native import NativeSubject
from gemba_core.testing.noop import NoopSubject

ASSIGNMENTS = 3
EXAMPLES = 6
nonces = st.sampled_from([ConfirmNonce("a"), ConfirmNonce("b")])
numbers = st.integers(0, ASSIGNMENTS - 1)


class Patient(NativeSubject):
    """As the reference: nothing expires within an example, however slow the machine is."""

    ttl = 600.0


class Both(RuleBasedStateMachine):
    """The same calls to the reference and to the native adaptor; their answers are compared."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.subjects: tuple[Subject, Subject] = (NoopSubject(), Patient())
        self.adaptors: list[Any] = []
        # Of assignments, and of their sessions once they have one, with either adaptor.
        self.ids: list[list[str]] = []
        self.assignments: list[list[str]] = []

    @initialize()
    def open(self) -> None:
        """Both with work to claim."""
        for subject in self.subjects:
            opened = self.stack.enter_async_context(subject.adaptor())
            self.adaptors.append(self.runner.run(opened))

    def teardown(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()

    @precondition(lambda self: len(self.ids) < ASSIGNMENTS)
    @rule()
    def claim(self) -> None:
        """One more work item is reserved."""

        async def claimed(adaptor: Any) -> str:
            agents = await adaptor.list_agents(AgentFilter())
            reservation = await adaptor.claim_next_ready(ReadyFilter(), agents[0])
            return str(reservation.id)

        self.assignments.append([self.runner.run(claimed(one)) for one in self.adaptors])
        self.ids.append(list(self.assignments[-1]))

    @rule(number=numbers)
    def release(self, number: int) -> None:
        """A reservation is given back."""
        self.compare(number, lambda adaptor, id: adaptor.release_reservation(id), self.assignments)

    @rule(number=numbers)
    def start(self, number: int) -> None:
        """An assignment gets its session."""

        async def begun(adaptor: Any, id: str) -> Session:
            session: Session = await adaptor.start_session(id, SessionPrompt())
            self.ids[number][self.adaptors.index(adaptor)] = session.id
            return session

        self.compare(number, begun, self.assignments)

    @rule(number=numbers, nonce=nonces)
    def pause(self, number: int, nonce: ConfirmNonce) -> None:
        """It is paused, perhaps once more."""
        self.compare(number, lambda adaptor, id: adaptor.pause_session(id, nonce))

    @rule(number=numbers, nonce=nonces)
    def resume(self, number: int, nonce: ConfirmNonce) -> None:
        """It goes on."""
        self.compare(number, lambda adaptor, id: adaptor.resume_session(id, nonce))

    @rule(number=numbers, mode=st.sampled_from(SessionEndMode), nonce=nonces)
    def end(self, number: int, mode: SessionEndMode, nonce: ConfirmNonce) -> None:
        """It ends."""
        self.compare(number, lambda adaptor, id: adaptor.end_session(id, mode, nonce))

    @rule(number=numbers)
    def pending(self, number: int) -> None:
        """What it waits for is asked."""
        self.compare(number, lambda adaptor, id: adaptor.list_pending_requests(id))

    @rule(number=numbers)
    def block(self, number: int) -> None:
        """Its agent needs a person, if it is there to need one."""

        async def asked(subject: Subject, adaptor: Any, id: str) -> bool:
            observed = await adaptor.observed_state()
            live = {one.id for one in observed.sessions if not one.status.is_terminal}
            if id in live:
                await subject.open_escalation(adaptor, id, EscalationUrgency.BLOCKING)
            return id in live

        if number < len(self.ids):
            parts = zip(self.subjects, self.adaptors, self.ids[number], strict=True)
            mine, other = (self.runner.run(asked(*part)) for part in parts)
            assert mine == other

    def compare(
        self,
        number: int,
        call: Callable[[Any, str], Awaitable[Any]],
        ids: list[list[str]] | None = None,
    ) -> None:
        """Both answer alike, as far as that can be compared."""
        if number < len(self.ids):
            parts = zip(self.adaptors, (ids or self.ids)[number], strict=True)
            mine, other = [self.runner.run(_answer(call(*part))) for part in parts]
            assert mine == other


async def _answer(call: Awaitable[Any]) -> object:
    """An error by its kind, a session by how it stands, a list by its length."""
    try:
        found = await call
    except AdaptorError as error:
        return error.kind
    if isinstance(found, Session):
        # What an agent is at, at the very moment, is its own affair.
        live = "suspended" if found.status == "suspended" else "live"
        status = found.status.value if found.status.is_terminal else live
        return status, found.close_reason
    return len(found) if isinstance(found, tuple) else found


def test_any_course_is_answered_as_by_the_reference(bwrap: None) -> None:
    """A few of the many courses."""
    few = settings(
        max_examples=EXAMPLES,
        stateful_step_count=10,
        # An example takes seconds, and a shorter one is not worth minutes.
        phases=(Phase.reuse, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Both, settings=few)
