"""`gemba-ask --wait`: follow the own log until the escalation is settled, then hand over.

Needs no index and nothing running. It claims before it prints, and records
`collected` only after the print was flushed: killed in between, the delivery is
uncertain, never silently repeated, and `--resume` takes it up.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemba_ask.clients import patience_of
from gemba_core import home
from gemba_core.errors import GembaError, UsageError
from gemba_core.expiry import POLICY, apply, is_past
from gemba_core.frame.vocabulary import IN_HAND
from gemba_core.handover import Handover, write_out
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.log import record
from gemba_core.settings import seconds, wait_timeout
from gemba_core.translator import SessionState
from gemba_core.translator.asks import open_with_key
from gemba_core.translator.change import Resolved
from gemba_core.translator.decisions import answer_text
from gemba_core.translator.state import Answer, Escalation

if TYPE_CHECKING:
    from gemba_core.skills.mentions.answered import Mentioned

ANSWERED, DENIED, NO_ANSWER, DEFERRED, CLOSED, DEFAULTED = 0, 3, 4, 5, 6, 7
_POLL = 0.05

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the wait ended: the exit code, and what is printed. No value: nothing was answered."""

    code: int
    state: str
    value: str | None = None
    resolution: Resolved | None = None
    note: str = ""


def wait_for(
    session_id: str,
    escalation_id: str,
    *,
    timeout: str | None,
    as_json: bool,
    asked: dict[str, object] | None,
    say: Say,
) -> int:
    """Ask (if `asked` is given), wait, print; the exit code. Raises GembaError."""
    agent_type = home.agent_type()
    patience = _patience(timeout, agent_type, say)
    with Journal(session_id) as journal, ExitStack() as held:
        journal.advance()
        same = open_with_key(journal.state, asked["key"]) if asked else None
        awaited = same.id if same else escalation_id
        # Locked before it is asked: no deliverer types what we are about to print.
        lock = held.enter_context(_life_lock(session_id, awaited))
        if asked is not None:
            record(session_id, "GembaAsk", asked, agent_type=agent_type, event_id=escalation_id)
            journal.advance()
        item = journal.state.find(escalation_id)
        if item is None:
            raise _unknown(journal.state, escalation_id, asked)
        if item.id != awaited:
            lock = held.enter_context(_life_lock(session_id, item.id))
        if item.state == "open":
            say(
                f"{item.id} ({item.urgency}): waiting up to {patience:g} s; "
                f"{patience_of(agent_type).advice}"
            )
        held.enter_context(_shown_as_prompting(journal, item, agent_type))
        outcome = _Wait(journal, item, lock, as_json).run(patience)
    if outcome.note:
        say(outcome.note)
    return outcome.code


def asked_as(session_id: str, event_id: str) -> Escalation | None:
    """The escalation that this ask opened or was folded into. Raises LogError."""
    with Journal(session_id) as journal:
        journal.advance()
        return journal.state.find(event_id)


class _Wait:
    """One wait for one escalation."""

    def __init__(self, journal: Journal, item: Escalation, lock: LifeLock, as_json: bool) -> None:
        self._journal = journal
        self._id = item.id
        self._urgency = item.urgency
        self._lock = lock
        self._as_json = as_json
        opened = journal.opened.get(item.id)
        self._options = {value for value, _ in opened.options} if opened else set()

    def run(self, patience: float) -> Outcome:
        """Until it is settled and handed over, or the time is up."""
        deadline = time.monotonic() + patience
        while True:
            self._journal.advance()
            self._apply_deadline()
            settled = self._settled()
            outcome = self._handed_over(settled) if settled else None
            if outcome is None and time.monotonic() >= deadline:
                outcome = self._handed_over(self._unanswered(patience))
            if outcome is not None:
                return outcome
            time.sleep(_POLL)

    def _apply_deadline(self) -> None:
        """Ours as well as anybody's to apply: nothing else may be running."""
        opened = self._journal.opened.get(self._id)
        if opened is not None and is_past(opened.deadline):
            apply(self._journal, self._id, opened.on_expiry)

    def _settled(self) -> Outcome | None:
        item = self._journal.state.find(self._id)
        if item is None or item.state == "open":
            return None
        if item.state != "resolved":
            why = "nobody answered by the deadline" if item.state == "expired" else "not answered"
            return Outcome(CLOSED, item.state, note=f"{self._id}: {item.state}, {why}")
        resolution = self._journal.resolutions[self._id]
        text = answer_text(resolution.kind, resolution.value)
        if text is None:
            who = resolution.by
            return Outcome(DEFERRED, "deferred", None, resolution, f"{self._id}: deferred by {who}")
        answer = self._answer()
        if answer is not None and not self._is_abandoned(answer):
            return None
        if resolution.via == POLICY:
            note = f"{self._id}: no person answered by the deadline; this is the declared default"
            return Outcome(DEFAULTED, "resolved", text, resolution, note)
        code = DENIED if resolution.kind == "deny" else ANSWERED
        free = f"{self._id}: free text, not one of the options" if self._is_free(text) else ""
        return Outcome(code, "resolved", text, resolution, free)

    def _is_free(self, text: str | None) -> bool:
        """Whether it is none of the options that were given."""
        return bool(self._options) and text is not None and text not in self._options

    def _is_abandoned(self, answer: Answer) -> bool:
        """Whether no living deliverer has the answer in its hands: else that one has the word."""
        if answer.status not in IN_HAND or answer.lock is None:
            return True
        path = os.path.join(home.home(), answer.lock)
        # Our own lock in a claim is that of a waiter before us, who is dead: we hold it now.
        return path == self._lock.path or not is_held(path)

    def _answer(self) -> Answer | None:
        resolution = self._journal.resolutions.get(self._id)
        return self._journal.state.answers.get(resolution.resolution_id) if resolution else None

    def _unanswered(self, patience: float) -> Outcome:
        return Outcome(
            NO_ANSWER,
            "open",
            note=f"no answer within {patience:g} s; the escalation stays open: "
            f"take it up again with `gemba-ask --resume {self._id} --wait`",
        )

    def _handed_over(self, outcome: Outcome) -> Outcome | None:
        """Print it; an answer is claimed before and collected after. None: others were faster."""
        answer = self._answer() if outcome.value is not None else None
        if answer is None:
            write_out(self._printed(outcome))
            return outcome
        handover = Handover(self._journal, "gemba-ask", self._lock)
        if not handover.claim([answer.id], takes_over=self._is_abandoned):
            return None
        mentioned = self._mentioned(answer.text)
        why = handover.print_out(self._printed(outcome, mentioned), "collected")
        if why is None:
            if mentioned is not None:
                mentioned.lead(self._journal)
            return outcome
        return Outcome(1, "resolved", note=f"{self._id}: {why}; the answer is kept")

    def _mentioned(self, text: str) -> "Mentioned | None":
        """The skill that the answer mentions, which the agent is given after it."""
        if "$" not in text:
            return None
        # Imported here: only an answer that may mention a skill pays for it.
        from gemba_core.clients import client_of
        from gemba_core.skills.mentions.answered import mentioned_in

        return mentioned_in(text, limit=client_of(home.agent_type()).longest_context)

    def _printed(self, outcome: Outcome, mentioned: "Mentioned | None" = None) -> bytes:
        guidance = mentioned.guidance if mentioned else None
        if not self._as_json:
            after = f"\n---\n{guidance}" if guidance else ""
            return f"{outcome.value}\n{after}".encode() if outcome.value is not None else b""
        resolution = outcome.resolution
        told = {
            "id": self._id,
            "session_id": self._journal.session_id,
            "urgency": self._urgency,
            "state": outcome.state,
            "kind": resolution.kind if resolution else None,
            "value": outcome.value,
            "free_text": self._is_free(outcome.value),
            "resolved_by": resolution.by if resolution else None,
            "via": resolution.via if resolution else None,
            "guidance": guidance,
        }
        return json.dumps(told).encode() + b"\n"


def _patience(timeout: str | None, agent_type: str, say: Say) -> float:
    if timeout is not None:
        given = seconds(timeout)
        if given is None:
            raise UsageError(f"--timeout {timeout!r}: give a time such as 90s, 10m or 2h")
        return given
    configured, problem = wait_timeout(home.config_path())
    if problem:
        say(problem)
    return configured or patience_of(agent_type).timeout


def _unknown(
    state: SessionState, escalation_id: str, asked: dict[str, object] | None
) -> GembaError:
    if asked is not None:
        return GembaError(
            f"{escalation_id}: the question was written but not accepted; "
            f"`gemba log verify {state.session_id}` says why"
        )
    return UsageError(
        f"{escalation_id}: no such escalation in session {state.session_id}; "
        "give the whole id that gemba-ask printed, in the session that asked"
    )


@contextmanager
def _life_lock(session_id: str, escalation_id: str) -> Iterator[LifeLock]:
    """Hold the lock that tells deliverers to leave the answer to us."""
    with LifeLock(home.wait_lock_path(session_id, escalation_id)) as lock:
        try:
            taken = lock.take()
        except OSError as error:
            raise GembaError(f"{lock.path}: {error.strerror}: cannot wait") from error
        if not taken:
            raise GembaError(f"{escalation_id}: another gemba-ask waits for it already")
        yield lock


@contextmanager
def _shown_as_prompting(journal: Journal, item: Escalation, agent_type: str) -> Iterator[None]:
    """The session shows as prompting while we wait, and as working after it, also if ended."""
    if item.state != "open":
        yield
        return

    def report(state: str, note: str | None = None) -> None:
        payload: dict[str, object] = {"state": state, "note": note}
        session_id = journal.session_id
        record(session_id, "GembaState", payload, agent_type=agent_type, sync=False)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    report("prompting", f"waiting for {item.id}")
    try:
        yield
    finally:
        journal.advance()
        if journal.state.status == "prompting":
            report("working")


def _leave(number: int, _: object) -> None:
    """Leave by an exception, so that the session's state is put right."""
    sys.exit(128 + number)
