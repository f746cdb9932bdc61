"""The one deliverer: an answer to the waiting `gemba-ask`, or into the agent's pane.

Before a byte reaches a pane, `claimed` is appended under the log's lock, and
only if the folded log still says queued or held. Whatever dies after that
leaves the delivery uncertain, for a person to decide. Source: architecture.md,
decision 9; integrations.md, "tmux".
"""

import os
import time
from dataclasses import dataclass, replace

import msgspec

from gemba_core import home
from gemba_core.clients import client_of
from gemba_core.errors import GembaError, PaneError
from gemba_core.frame.line import new_event_id
from gemba_core.frame.payload import ReplyTo
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.find import find
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Due, Index
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.log import frame_line
from gemba_core.offer import lay_out
from gemba_core.panes import (
    PaneAddress,
    PasteUncertain,
    begun,
    composer_of,
    forget_buffers,
    guard,
    look,
    paste,
    press_enter,
    refusal,
    settling,
    typable,
    unready,
)
from gemba_core.translator import SessionState
from gemba_core.translator.decisions import answer_text

_ENTER_PATIENCE = 3.0
_POLL = 0.1
_MAX_ATTEMPTS = 5
_TRIED = ("queued", "held")


@dataclass(frozen=True, slots=True)
class Report:
    """How far a delivery got, and why no further; `is_passing`: that may end by itself."""

    status: str
    detail: str | None = None
    is_passing: bool = True

    @property
    def is_waiting(self) -> bool:
        """Whether it is still to be delivered."""
        return self.status in _TRIED


def deliver(index: Index, session_id: str, resolution_id: str, *, patience: float = 0.0) -> Report:
    """Bring that answer to its agent; a held one is tried again for `patience` seconds.

    What a pane does is in the report, never raised. Raises LogError.
    """
    deadline = time.monotonic() + patience
    while True:
        due = index.delivery(session_id, resolution_id)
        if due is None:
            return Report("failed", "nothing is due")
        report = _tried(index, due)
        soon = report.is_passing and (report.is_waiting or report.status in ("claimed", "typed"))
        receipt = report.status == "submitted" and _has_receipts(index, due)
        if not (soon or receipt) or time.monotonic() >= deadline:
            return report
        time.sleep(_POLL)
        index.catch_up()


def deliver_all(index: Index, logs: set[str] | None = None) -> list[tuple[Due, Report]]:
    """Try every answer that is due once; with `logs`, only those of sessions in these logs."""
    return [
        (due, _tried(index, due))
        for due in index.due(_TRIED)
        if logs is None or home.safe_id(due.session_id) in logs
    ]


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
        raise GembaError(f"{item.id}: no answer of it is on its way; respond to it first")
    if due.status in ("claimed", "typed") and not index.is_held(due.lock):
        mark_uncertain(index, due)

    def choose(state: SessionState) -> bytes | None:
        answer = state.answers.get(due.resolution_id)
        if answer is None or answer.status in ("claimed", "typed"):
            return None
        if leave:
            return _line(due, "failed", by=actor.name, detail=f"left as it is by {actor.name}")
        return _line(due, "queued", attempt=answer.attempt + 1, by=actor.name)

    with open_journal(index, due.session_id) as journal:
        if not journal.append_if(choose):
            raise GembaError(
                f"{item.id}: its answer has arrived, was given up, or is being delivered now"
            )
    index.catch_up()
    return deliver(index, due.session_id, due.resolution_id)


def mark_uncertain(index: Index, due: Due) -> None:
    """Record that the deliverer of a claimed or typed answer is gone."""
    with open_journal(index, due.session_id) as journal:
        journal.append_if(lambda state: _uncertain(state, due))
    address = _address(due)
    if address is not None:
        forget_buffers(address)
    index.catch_up()


def _uncertain(state: SessionState, due: Due) -> bytes | None:
    answer = state.answers.get(due.resolution_id)
    if answer is None or answer.attempt != due.attempt or answer.status != due.status:
        return None
    return _line(due, "uncertain", detail="its deliverer is gone")


def _tried(index: Index, due: Due) -> Report:
    """One try. What it records is in the index when this returns."""
    if due.status in ("claimed", "typed") and not index.is_held(due.lock):
        mark_uncertain(index, due)
        return Report("uncertain", "its deliverer is gone")
    if due.status not in _TRIED:
        return Report(due.status)
    with open_journal(index, due.session_id) as journal:
        report = _Delivery(index, due, journal).run()
    index.catch_up()
    return report


class _Delivery:
    """One try to deliver one answer."""

    def __init__(self, index: Index, due: Due, journal: Journal) -> None:
        self._index = index
        self._due = due
        self._journal = journal
        self._composer = composer_of(due.agent_type)
        self._text = answer_text(due.kind, due.text) or ""

    def run(self) -> Report:
        is_dialog = self._due.channel == "notification"
        if self._is_awaited():
            waits = "the agent's waiting hook" if is_dialog else "a waiting gemba-ask"
            return self._held(f"{waits} hands it over")
        if is_dialog:
            return self._recorded("failed", "its hook no longer waits: the agent's dialog decides")
        self._journal.advance()
        address, busy = _address(self._due), _busy(self._journal.state)
        if (busy or address is None) and self._is_offered():
            when = "the agent is at work" if busy else "the agent is idle"
            return self._held(f"{when}; its own hook hands it over at its next step")
        if address is None:
            why = "no pane to type into: the agent fetches it with gemba-ask --resume"
            return replace(self._held(why), is_passing=False)
        refused = refusal(self._text, self._composer)
        if refused:
            return self._recorded("failed", refused)
        if busy:
            return self._held(busy)
        lock = LifeLock(home.pane_lock_path(address.key))
        with lock:
            if not lock.take() or self._is_taken(address):
                return self._held("another delivery has the pane")
            return self._into(address, os.path.relpath(lock.path, home.home()))

    def _into(self, address: PaneAddress, lock: str) -> Report:
        before = look(address)
        if before.verdict == "failed":
            return self._recorded("failed", before.why)
        why = before.why or unready(self._composer, before)
        if self._due.attempt > 1 and begun(self._text, before):
            why = "a part of this answer stands in the input line: delete it there first"
        if why:
            return self._held(why)
        if not self._journal.append_if(lambda state: self._claim(state, lock)):
            return self._now()
        text = typable(self._text, self._composer)
        try:
            paste(address, text, f"gemba-{new_event_id()}")
        except PasteUncertain as error:
            return self._recorded("uncertain", str(error))
        except PaneError as error:
            return self._again(str(error))
        self._recorded("typed", lock=lock)
        time.sleep(settling(text, self._composer))
        return self._entered(address, guard(address, text, self._composer, before))

    def _entered(self, address: PaneAddress, condition: str) -> Report:
        """Enter, as soon as tmux sees the text in the input line and no dialog is known."""
        deadline = time.monotonic() + _ENTER_PATIENCE
        while True:
            self._journal.advance()
            try:
                if not self._journal.state.dialogs and press_enter(address, condition):
                    return self._recorded("submitted")
            except PaneError as error:
                return self._recorded("uncertain", str(error))
            if time.monotonic() >= deadline:
                return self._recorded(
                    "uncertain",
                    "the text was not seen in the agent's input line, so Enter was not pressed",
                )
            time.sleep(_POLL)

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
        others = self._index.due(("claimed", "typed", "uncertain"))
        return any(
            other.resolution_id != self._due.resolution_id and _same_pane(_address(other), address)
            for other in others
        )

    def _claim(self, state: SessionState, lock: str) -> bytes | None:
        answer = state.answers.get(self._due.resolution_id)
        if answer is None or answer.status not in _TRIED or answer.attempt != self._due.attempt:
            return None
        if _busy(state) or self._is_awaited():
            return None
        return _line(self._due, "claimed", lock=lock)

    def _now(self) -> Report:
        """What somebody else made of it meanwhile."""
        answer = self._journal.state.answers.get(self._due.resolution_id)
        return Report(answer.status if answer else "acknowledged")

    def _held(self, why: str) -> Report:
        """Held, and on the record unless it stands there already."""

        def choose(state: SessionState) -> bytes | None:
            answer = state.answers.get(self._due.resolution_id)
            if answer is None or answer.status not in _TRIED:
                return None
            return _line(self._due, "held", detail=why)

        if (self._due.status, self._due.detail) != ("held", why):
            self._journal.append_if(choose)
        return Report("held", why)

    def _again(self, why: str) -> Report:
        """Nothing was typed: the next attempt may, a few times."""
        attempt = self._due.attempt + 1
        if attempt > _MAX_ATTEMPTS:
            return self._recorded("failed", why)
        failed = _line(self._due, "failed", detail=why)
        again = _line(self._due, "queued", attempt=attempt)
        # In one append: killed between two, it would stay failed, and nobody would try again.
        self._journal.append_if(lambda _: failed + again)
        return Report("queued", why)

    def _recorded(self, status: str, detail: str | None = None, lock: str | None = None) -> Report:
        self._journal.append_if(lambda _: _line(self._due, status, detail=detail, lock=lock))
        return Report(status, detail)


def _busy(state: SessionState) -> str | None:
    """Why nothing may be typed to this agent now, by the session's own word."""
    if state.dialogs:
        return "a dialog of the agent is up in its pane"
    if state.turn.open:
        return "the agent is at work; it gets the answer when its turn ends"
    if state.turn.reported in ("working", "initializing"):
        return f"the agent reported {state.turn.reported}; it gets the answer when it is prompting"
    return None


def _has_receipts(index: Index, due: Due) -> bool:
    """Whether the agent's own hooks will report the text."""
    folded = index.folded(due.session_id)
    return folded is not None and folded[0].client is not None


def _address(due: Due) -> PaneAddress | None:
    if due.reply_to is None:
        return None
    given = msgspec.json.decode(due.reply_to, type=ReplyTo)
    try:
        return PaneAddress(given.tmux_socket, given.tmux_server_pid, given.tmux_pane, given.agent)
    except PaneError:
        return None


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
    payload: dict[str, object] = {
        "resolution_id": due.resolution_id,
        "attempt": due.attempt if attempt is None else attempt,
        "status": status,
        "by": by,
        "detail": detail,
        "lock": lock,
    }
    return frame_line(due.session_id, "GembaDelivery", payload)
