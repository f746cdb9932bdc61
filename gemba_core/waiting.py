"""Waiting for one escalation of a session until it is settled, then handing the answer over.

Needs no index and nothing running: it follows the session's own log. An answer is
claimed before it is taken, and recorded as `collected` only after it: killed in
between, the delivery is uncertain, never silently repeated, and a later wait for
the same escalation takes it up.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gemba_core import home
from gemba_core.errors import GembaError, UsageError
from gemba_core.expiry import POLICY, apply, is_past
from gemba_core.frame.line import new_event_id
from gemba_core.frame.vocabulary import IN_HAND
from gemba_core.handover import Handover
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.log import record
from gemba_core.translator import SessionState
from gemba_core.translator.asks import open_with_key
from gemba_core.translator.change import Resolved
from gemba_core.translator.decisions import answer_text
from gemba_core.translator.state import Answer, Escalation

_POLL = 0.05

Ending: TypeAlias = Literal[
    "answered", "denied", "deferred", "canceled", "expired", "defaulted", "unanswered"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a wait ended; only `answered` is a person's answer that is no refusal.

    value       what was answered, or the declared default; None: nothing was
    resolution  who decided, and how
    is_free     it is none of the options that were given
    answer      what is claimed for whoever takes it; None: it had been handed over before
    """

    ended: Ending
    value: str | None = None
    resolution: Resolved | None = None
    is_free: bool = False
    answer: Answer | None = None


Take: TypeAlias = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A frame that opens the escalation: `hook` is GembaAsk or GembaEscalate."""

    hook: str
    payload: dict[str, object]
    agent_type: str = ""


@contextmanager
def waiting(
    session_id: str, escalation_id: str | None, *, by: str, asked: Asked | None = None
) -> "Iterator[Waiting]":
    """Hold that escalation's answer for us; with `asked`, open it now, as `escalation_id` or anew.

    Locked before it is asked: no deliverer types what we are about to take. An
    ask whose key is that of an open escalation waits for that one. `by` is the
    name that the record gives to the one who waits. Raises UsageError where the
    session has no such escalation, GembaError where another process waits for it
    or what was asked was not accepted, LogError.
    """
    escalation_id = escalation_id or new_event_id()
    with Journal(session_id) as journal, ExitStack() as held:
        journal.advance()
        same = open_with_key(journal.state, asked.payload.get("key")) if asked else None
        awaited = same.id if same else escalation_id
        lock = held.enter_context(_life_lock(session_id, awaited, by))
        if asked is not None:
            record(
                session_id,
                asked.hook,
                asked.payload,
                agent_type=asked.agent_type,
                event_id=escalation_id,
            )
            journal.advance()
        item = journal.state.find(escalation_id)
        if item is None:
            raise _unknown(journal.state, escalation_id, asked)
        if item.id != awaited:
            lock = held.enter_context(_life_lock(session_id, item.id, by))
        yield Waiting(journal, item, lock, by)


class Waiting:
    """One wait for one escalation, whose lock we hold."""

    def __init__(self, journal: Journal, item: Escalation, lock: LifeLock, by: str) -> None:
        self.journal = journal
        self.id = item.id
        self.urgency = item.urgency
        self._lock = lock
        self._by = by
        opened = journal.opened.get(item.id)
        self._options = {value for value, _ in opened.options} if opened else set()

    @property
    def is_open(self) -> bool:
        """Whether nobody has settled it, as far as the log was read."""
        return self.id in self.journal.state.open

    def until_settled(self, patience: float, take: Take) -> Outcome:
        """Until it is settled and taken, or `patience` seconds (inf: never) are over.

        `take` gets the outcome, whatever it is. An answer is claimed while `take` has
        it; where `take` raises a GembaError, the answer is kept for the next who comes,
        and a GembaError says so. Raises LogError.
        """
        deadline = time.monotonic() + patience
        while True:
            self.journal.advance()
            self._apply_deadline()
            outcome = self._settled()
            if outcome is not None and self._is_taken(outcome, take):
                return outcome
            if time.monotonic() >= deadline:
                outcome = Outcome("unanswered")
                take(outcome)
                return outcome
            time.sleep(_POLL)

    @contextmanager
    def shown_as_prompting(self, agent_type: str) -> Iterator[None]:
        """The session shows as prompting inside, and as working after; not if it is settled."""
        if not self.is_open:
            yield
            return
        self._report("prompting", agent_type, note=f"waiting for {self.id}")
        try:
            yield
        finally:
            self.journal.advance()
            if self.journal.state.status == "prompting":
                self._report("working", agent_type)

    def _report(self, state: str, agent_type: str, note: str | None = None) -> None:
        payload: dict[str, object] = {"state": state, "note": note}
        record(self.journal.session_id, "GembaState", payload, agent_type=agent_type, sync=False)

    def _apply_deadline(self) -> None:
        """Ours as well as anybody's to apply: nothing else may be running."""
        opened = self.journal.opened.get(self.id)
        if opened is not None and is_past(opened.deadline):
            apply(self.journal, self.id, opened.on_expiry)

    def _settled(self) -> Outcome | None:
        item = self.journal.state.find(self.id)
        if item is None or item.state == "open":
            return None
        if item.state != "resolved":
            return Outcome("expired" if item.state == "expired" else "canceled")
        resolution = self.journal.resolutions[self.id]
        text = answer_text(resolution.kind, resolution.value)
        if text is None:
            return Outcome("deferred", None, resolution)
        answer = self.journal.state.answers.get(resolution.resolution_id)
        if answer is not None and not self._is_abandoned(answer):
            return None
        is_free = bool(self._options) and text not in self._options
        return Outcome(_ending(resolution), text, resolution, is_free, answer)

    def _is_abandoned(self, answer: Answer) -> bool:
        """Whether no living deliverer has the answer in its hands: else that one has the word."""
        if answer.status not in IN_HAND or answer.lock is None:
            return True
        path = os.path.join(home.home(), answer.lock)
        # Our own lock in a claim is that of a waiter before us, who is dead: we hold it now.
        return path == self._lock.path or not is_held(path)

    def _is_taken(self, outcome: Outcome, take: Take) -> bool:
        """Have it taken, an answer claimed before and recorded after; no: others were faster."""
        if outcome.answer is None:
            take(outcome)
            return True
        handover = Handover(self.journal, self._by, self._lock)
        if not handover.claim([outcome.answer.id], takes_over=self._is_abandoned):
            return False
        why = handover.hand_out(lambda: take(outcome), "collected")
        if why is not None:
            raise GembaError(f"{self.id}: {why}; the answer is kept")
        return True


def _ending(resolution: Resolved) -> Ending:
    if resolution.via == POLICY:
        return "defaulted"
    return "denied" if resolution.kind == "deny" else "answered"


def _unknown(state: SessionState, escalation_id: str, asked: Asked | None) -> GembaError:
    if asked is not None:
        return GembaError(
            f"{escalation_id}: the question was written but not accepted; "
            f"`gemba log verify {state.session_id}` says why"
        )
    return UsageError(
        f"{escalation_id}: no such escalation in session {state.session_id}; "
        "give the whole id that was told when it was asked, in the session that asked"
    )


@contextmanager
def _life_lock(session_id: str, escalation_id: str, by: str) -> Iterator[LifeLock]:
    """Hold the lock that tells deliverers to leave the answer to us."""
    with LifeLock(home.wait_lock_path(session_id, escalation_id)) as lock:
        try:
            taken = lock.take()
        except OSError as error:
            raise GembaError(f"{lock.path}: {error.strerror}: cannot wait") from error
        if not taken:
            raise GembaError(f"{escalation_id}: another {by} waits for it already")
        yield lock
