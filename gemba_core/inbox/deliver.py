"""The one deliverer: an answer to the waiting `gemba-ask`, or into the agent's pane.

An approval of a dialog of the agent's own is the client's key for it.

Before a byte reaches a pane, `claimed` is appended under the log's lock, and
only if the folded log still says queued or held. Whatever dies after that
leaves the delivery uncertain, for a person to decide. Source: architecture.md,
decision 9; integrations.md, "tmux".
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from gemba_core import home
from gemba_core.clients import client_of
from gemba_core.errors import GembaError, PaneError
from gemba_core.frame.origin import fetched_by
from gemba_core.frame.vocabulary import DUE, IN_HAND
from gemba_core.handover import delivery_line, queued_again
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.address import pane_of_answer
from gemba_core.inbox.dialog import DialogKey, key_for
from gemba_core.inbox.find import as_it_stands, find
from gemba_core.inbox.idle import busy, no_dialog
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Due, Escalation, Filter, Index
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.offer import lay_out
from gemba_core.panes import (
    PaneAddress,
    begun,
    composer_of,
    enter,
    forget_buffers,
    look,
    press,
    refusal,
    unready,
)
from gemba_core.translator import SessionState
from gemba_core.translator.decisions import answer_text

_PATIENCE = 3.0
_POLL = 0.1
_MAX_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Report:
    """How far a delivery got, and why no further.

    `is_passing`: that may end by itself; `is_by_pane`: its pane holds it, and
    with it every other text for that pane.
    """

    status: str
    detail: str | None = None
    is_passing: bool = True
    is_by_pane: bool = False

    @property
    def is_waiting(self) -> bool:
        """Whether it is still to be delivered."""
        return self.status in DUE


def deliver(index: Index, session_id: str, resolution_id: str, *, patience: float = 0.0) -> Report:
    """Bring that answer to its agent; a held one is tried again for `patience` seconds.

    What a pane does is in the report, never raised. Raises LogError.
    """
    deadline = time.monotonic() + patience
    while True:
        due = index.delivery(session_id, resolution_id)
        if due is None:
            return Report("failed", "nothing is due")
        report = tried(index, due)
        soon = report.is_passing and (report.is_waiting or report.status in IN_HAND)
        receipt = report.status == "submitted" and _has_receipts(index, due)
        if not (soon or receipt) or time.monotonic() >= deadline:
            return report
        time.sleep(_POLL)
        index.catch_up([home.safe_id(session_id)])


def deliver_all(index: Index) -> list[tuple[Due, Report]]:
    """Try every answer that is due once. Raises LogError."""
    return [(due, tried(index, due)) for due in index.due(DUE)]


def redeliver(index: Index, prefix: str, *, actor: Actor, leave: bool = False) -> Report:
    """A person's decision about an answer that is not known to have arrived.

    Begins a new attempt; with `leave` it is given up as it is, and its pane is
    free for others. Raises NotFound, Refused, GembaError where there is nothing
    to decide, LogError.
    """
    item = find(index, prefix)
    actor.check(item)
    resolution_id = index.resolution_of(item.session_id, item.id)
    due = index.delivery(item.session_id, resolution_id) if resolution_id else None
    if due is None:
        todo = "respond to it" if item.state == "open" else f"`gemba escalations reopen {item.id}`"
        raise GembaError(f"{item.id}: {item.state}, with no answer to deliver; {todo} first")
    if due.status in IN_HAND and not index.is_held(due.lock):
        mark_uncertain(index, due)

    def choose(state: SessionState) -> bytes | None:
        answer = state.answers.get(due.resolution_id)
        if answer is None or answer.status in IN_HAND:
            return None
        if leave and answer.status == "failed":
            return None
        if leave:
            return _line(due, "failed", by=actor.name, detail=f"left as it is by {actor.name}")
        return _line(due, "queued", attempt=answer.attempt + 1, by=actor.name)

    with open_journal(index, due.session_id) as journal:
        if not journal.append_if(choose):
            raise GembaError(
                f"{item.id}: its answer has arrived, was given up, or is being delivered now"
            )
    index.catch_up([home.safe_id(due.session_id)])
    return deliver(index, due.session_id, due.resolution_id)


def mark_uncertain(index: Index, due: Due) -> None:
    """Record that the deliverer of a claimed or typed answer is gone, unless it came to an end."""
    with open_journal(index, due.session_id) as journal:
        is_gone = journal.append_if(lambda state: _uncertain(state, due))
    address = pane_of_answer(due)
    if is_gone and address is not None:
        forget_buffers(address)
    index.catch_up([home.safe_id(due.session_id)])


def _uncertain(state: SessionState, due: Due) -> bytes | None:
    answer = state.answers.get(due.resolution_id)
    if answer is None or answer.attempt != due.attempt or answer.status != due.status:
        return None
    by = "hook" if answer.by_hook else "gemba"
    return _line(due, "uncertain", by=by, detail="its deliverer is gone")


def tried(index: Index, due: Due) -> Report:
    """One try. What it records is in the index when this returns. Raises LogError."""
    if due.status in IN_HAND and not index.is_held(due.lock):
        mark_uncertain(index, due)
        return _recorded(index, due)
    if due.status not in DUE:
        return Report(due.status, due.detail)
    with open_journal(index, due.session_id) as journal:
        report = _Delivery(index, due, journal).run()
    index.catch_up([home.safe_id(due.session_id)])
    return report or _recorded(index, due)


def _recorded(index: Index, due: Due) -> Report:
    """What stands in the index now."""
    now = index.delivery(due.session_id, due.resolution_id)
    return Report(now.status, now.detail) if now else Report("failed", "nothing is due")


class _Delivery:
    """One try to deliver one answer."""

    def __init__(self, index: Index, due: Due, journal: Journal) -> None:
        self._index = index
        self._due = due
        self._journal = journal
        self._composer = composer_of(due.agent_type)
        self._text = answer_text(due.kind, due.text, due.via) or ""
        self._is_dialog = due.channel == "notification"

    def run(self) -> Report | None:
        """How far it got; None where somebody else has it, or had it, meanwhile."""
        item = self._asked()
        if self._is_awaited():
            return self._held_by_waiter(item)
        self._journal.advance()
        if self._is_dialog:
            return self._to_dialog(item)
        address, held_by = pane_of_answer(self._due), busy(self._journal.state)
        if (held_by or address is None) and self._is_offered():
            when = "the agent is at work" if held_by else "the agent is idle"
            return self._held(f"{when}; its own hook hands it over at its next step")
        if address is None:
            who = fetched_by(item.id, item.agent_type, item.detail)
            why = f"no pane to type into: whoever asked fetches it ({who})"
            return self._held(why, is_passing=False)
        refused = refusal(self._text, self._composer)
        if refused:
            return self._refused(refused)
        if held_by:
            return self._held(held_by)
        return self._alone(address, lambda lock: self._into(address, lock))

    def _held_by_waiter(self, item: Escalation) -> Report | None:
        # What asks by gemba-ask names its role; the others are the agent's own hooks.
        if item.role:
            return self._held("a waiting gemba-ask hands it over")
        if item.source == "question" and self._has_open_siblings():
            why = "the agent's waiting hook hands it over with the answers to its other questions"
            return self._held(why, is_passing=False)
        return self._held("the agent's waiting hook hands it over")

    def _has_open_siblings(self) -> bool:
        """Whether that hook waits for other answers too."""
        session_id = self._due.session_id
        return any(
            one.source == "question" and is_held(home.wait_lock_path(session_id, one.id))
            for one in self._index.escalations(Filter(session=session_id))
        )

    def _asked(self) -> Escalation:
        """What the answer is to; of several, the first."""
        return as_it_stands(self._index, self._due.session_id, self._due.escalation_ids[0])

    def _alone(self, address: PaneAddress, action: Callable[[str], Report | None]) -> Report | None:
        """Have the pane to ourselves while the action runs; it gets the lock to claim with."""
        lock = LifeLock(home.pane_lock_path(address.key))
        with lock:
            if not lock.take() or self._is_taken(address):
                return self._held_by_pane("another delivery has the pane")
            return action(os.path.relpath(lock.path, home.home()))

    def _to_dialog(self, item: Escalation) -> Report | None:
        found = key_for(self._journal.state, item, self._due.kind)
        if found.verdict == "held":
            return self._held(found.why)
        if found.address is None or found.verdict == "failed":
            return self._refused(found.why)
        return self._alone(found.address, lambda lock: self._press(item, found, lock))

    def _press(self, item: Escalation, found: DialogKey, lock: str) -> Report | None:
        """Its key, once, and only while the dialog stands there; then see it go."""
        assert found.address is not None
        if not self._journal.append_if(lambda state: self._claim(state, lock)):
            return None
        try:
            if not press(found.address, found.key, found.condition):
                return self._again("the dialog moved before its key was pressed")
        except PaneError as error:
            return self._recorded("uncertain", str(error))
        deadline = time.monotonic() + _PATIENCE
        while key_for(self._journal.state, item, self._due.kind).verdict != "failed":
            if time.monotonic() >= deadline:
                why = f"{found.key} was pressed, and the dialog is still up"
                return self._recorded("uncertain", why)
            time.sleep(_POLL)
        return self._recorded("submitted", f"its dialog was given the key {found.key}")

    def _into(self, address: PaneAddress, lock: str) -> Report | None:
        before = look(address)
        if before.verdict == "failed":
            return self._refused(before.why)
        why = before.why or unready(self._composer, before)
        if self._due.attempt > 1 and begun(self._text, before):
            why = "a part of this answer stands in the input line: delete it there first"
        if why:
            return self._held_by_pane(why)
        if not self._journal.append_if(lambda state: self._claim(state, lock)):
            return None
        try:
            entry = enter(
                address,
                self._text,
                self._composer,
                before,
                pasted=lambda: self._recorded("typed", lock=lock),
                may_submit=lambda: no_dialog(self._journal),
            )
        except PaneError as error:
            return self._again(str(error))
        return self._recorded(entry.status, entry.why)

    def _is_offered(self) -> bool:
        """Lay it out for the agent's own hook; False if its client takes no answers there."""
        state = self._journal.state
        client = client_of(state.agent_type)
        hooked = state.client is not None and bool(client.takes_answers)
        if not hooked or state.dialogs or len(self._text) > client.longest_answer:
            return False
        lay_out(state.session_id, state, self._journal.position)
        return True

    def _is_awaited(self) -> bool:
        return any(
            is_held(home.wait_lock_path(self._due.session_id, one))
            for one in self._due.escalation_ids
        )

    def _is_taken(self, address: PaneAddress) -> bool:
        """Whether another answer is, or may be, half-way into this pane."""
        others = self._index.due((*IN_HAND, "uncertain"))
        return any(
            other.resolution_id != self._due.resolution_id
            and _same_pane(pane_of_answer(other), address)
            for other in others
        )

    def _claim(self, state: SessionState, lock: str) -> bytes | None:
        if not self._is_in(state, DUE) or self._is_awaited():
            return None
        if busy(state) and not self._is_dialog:
            return None
        return self._line("claimed", lock=lock)

    def _is_in(self, state: SessionState, statuses: tuple[str, ...]) -> bool:
        """Whether this very attempt stands at one of these, so that we may go on with it."""
        answer = state.answers.get(self._due.resolution_id)
        return (
            answer is not None and answer.attempt == self._due.attempt and answer.status in statuses
        )

    def _held(
        self, why: str | None, *, is_passing: bool = True, is_by_pane: bool = False
    ) -> Report | None:
        """Held, and on the record unless it stands there already."""
        is_new = (self._due.status, self._due.detail) != ("held", why)
        if is_new and self._recorded("held", why, among=DUE) is None:
            return None
        return Report("held", why, is_passing, is_by_pane)

    def _held_by_pane(self, why: str) -> Report | None:
        return self._held(why, is_by_pane=True)

    def _refused(self, why: str | None) -> Report | None:
        """It can't be delivered, and nobody has it in hand."""
        return self._recorded("failed", why, among=DUE)

    def _again(self, why: str) -> Report | None:
        """Nothing was typed: the next attempt may, a few times."""
        due = self._due
        if due.attempt >= _MAX_ATTEMPTS:
            return self._recorded("failed", why)
        lines = queued_again(due.session_id, due.resolution_id, due.attempt, by=self._by, why=why)
        is_ours = self._journal.append_if(
            lambda state: lines if self._is_in(state, IN_HAND) else None
        )
        return Report("queued", why) if is_ours else None

    def _recorded(
        self,
        status: str,
        detail: str | None = None,
        *,
        lock: str | None = None,
        among: tuple[str, ...] = IN_HAND,
    ) -> Report | None:
        """On the record, if it stands at one of `among`: else somebody knows more of it."""
        line = self._line(status, detail=detail, lock=lock)
        is_ours = self._journal.append_if(lambda state: line if self._is_in(state, among) else None)
        return Report(status, detail) if is_ours else None

    @property
    def _by(self) -> str:
        return "dialog" if self._is_dialog else "gemba"

    def _line(self, status: str, *, detail: str | None = None, lock: str | None = None) -> bytes:
        return _line(self._due, status, by=self._by, detail=detail, lock=lock)


def _has_receipts(index: Index, due: Due) -> bool:
    """Whether the agent's own hooks will report the text."""
    folded = index.folded(due.session_id)
    return folded is not None and folded[0].client is not None


def _same_pane(one: PaneAddress | None, other: PaneAddress) -> bool:
    return one is not None and one.key == other.key


def _line(
    due: Due,
    status: str,
    *,
    attempt: int | None = None,
    by: str = "gemba",
    detail: str | None = None,
    lock: str | None = None,
) -> bytes:
    return delivery_line(
        due.session_id,
        due.resolution_id,
        attempt or due.attempt,
        status,
        by=by,
        detail=detail,
        lock=lock,
    )
