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

from gemba_ask.clients import patience_of
from gemba_core import home
from gemba_core.errors import GembaError, UsageError
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.log import frame_line, record
from gemba_core.settings import seconds, wait_timeout
from gemba_core.translator import SessionState
from gemba_core.translator.asks import open_with_key
from gemba_core.translator.change import Resolved
from gemba_core.translator.decisions import answer_text
from gemba_core.translator.state import Answer, Escalation

ANSWERED, DENIED, NO_ANSWER, DEFERRED, CLOSED = 0, 3, 4, 5, 6
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
        self._lock = os.path.relpath(lock.path, home.home())
        self._as_json = as_json
        opened = journal.opened.get(item.id)
        self._options = {value for value, _ in opened.options} if opened else set()

    def run(self, patience: float) -> Outcome:
        """Until it is settled and handed over, or the time is up."""
        deadline = time.monotonic() + patience
        while True:
            self._journal.advance()
            settled = self._settled()
            outcome = self._handed_over(settled) if settled else None
            if outcome is None and time.monotonic() >= deadline:
                outcome = self._handed_over(self._unanswered(patience))
            if outcome is not None:
                return outcome
            time.sleep(_POLL)

    def _settled(self) -> Outcome | None:
        item = self._journal.state.find(self._id)
        if item is None or item.state == "open":
            return None
        if item.state != "resolved":
            return Outcome(CLOSED, item.state, note=f"{self._id}: {item.state}, not answered")
        resolution = self._journal.resolutions[self._id]
        text = answer_text(resolution.kind, resolution.value)
        if text is None:
            who = resolution.by
            return Outcome(DEFERRED, "deferred", None, resolution, f"{self._id}: deferred by {who}")
        if self._is_with_another():
            return None
        code = DENIED if resolution.kind == "deny" else ANSWERED
        free = f"{self._id}: free text, not one of the options" if self._is_free(text) else ""
        return Outcome(code, "resolved", text, resolution, free)

    def _is_free(self, text: str | None) -> bool:
        """Whether it is none of the options that were given."""
        return bool(self._options) and text is not None and text not in self._options

    def _is_with_another(self) -> bool:
        """Whether a living deliverer has the answer in its hands: then it has the word."""
        answer = self._answer()
        if answer is None or answer.status not in ("claimed", "typed"):
            return False
        # Our own lock in a claim is that of a waiter before us, who is dead: we hold it now.
        if answer.lock is None or answer.lock == self._lock:
            return False
        return is_held(os.path.join(home.home(), answer.lock))

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
            _print(self._printed(outcome))
            return outcome
        attempt = self._claim(answer)
        if attempt is None:
            return None
        try:
            _print(self._printed(outcome))
        except _NotPrinted as failure:
            self._give_back(answer, attempt, failure)
            return Outcome(1, "resolved", note=f"{self._id}: {failure}; the answer is kept")
        self._append(answer, attempt, "collected")
        return outcome

    def _claim(self, answer: Answer) -> int | None:
        """Our attempt's number; None if the answer is no longer to be had."""
        attempts: list[int] = []

        def choose(state: SessionState) -> bytes | None:
            now = state.answers.get(answer.id)
            if now is None or (now.status in ("claimed", "typed") and self._is_with_another()):
                return None
            fresh = now.status in ("queued", "held")
            attempts.append(now.attempt if fresh else now.attempt + 1)
            if now.status in ("claimed", "typed"):
                # Its deliverer is gone: say so first, then begin an attempt of our own.
                return self._frame(now, now.attempt, "uncertain", "its deliverer is gone")
            return self._frame(now, attempts[-1], "claimed")

        if not self._journal.append_if(choose):
            return None
        state = self._journal.state.answers.get(answer.id)
        if state is not None and state.status == "uncertain":
            return self._claim(state)
        return attempts[-1]

    def _give_back(self, answer: Answer, attempt: int, failure: "_NotPrinted") -> None:
        """Nobody read it: another deliverer may try, unless a part of it went out."""
        if failure.some:
            self._append(answer, attempt, "uncertain", str(failure))
            return
        failed = self._frame(answer, attempt, "failed", str(failure))
        again = self._frame(answer, attempt + 1, "queued")
        # In one append: killed between two, it would stay failed, and nobody would try again.
        self._journal.append_if(lambda _: failed + again)

    def _append(self, answer: Answer, attempt: int, status: str, detail: str | None = None) -> None:
        self._journal.append_if(lambda _: self._frame(answer, attempt, status, detail))

    def _frame(self, answer: Answer, attempt: int, status: str, detail: str | None = None) -> bytes:
        payload: dict[str, object] = {
            "resolution_id": answer.id,
            "attempt": attempt,
            "status": status,
            "by": "gemba-ask",
            "detail": detail,
            "lock": self._lock,
        }
        return frame_line(
            self._journal.session_id, "GembaDelivery", payload, agent_type=home.agent_type()
        )

    def _printed(self, outcome: Outcome) -> bytes:
        if not self._as_json:
            return f"{outcome.value}\n".encode() if outcome.value is not None else b""
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
        }
        return json.dumps(told).encode() + b"\n"


class _NotPrinted(Exception):
    """Standard output could not be written; `some` of it may have gone out."""

    def __init__(self, why: str, some: bool) -> None:
        super().__init__(why)
        self.some = some


def _print(data: bytes) -> None:
    written = 0
    try:
        while written < len(data):
            written += os.write(1, data[written:])
    except OSError as error:
        raise _NotPrinted(f"standard output: {error.strerror}", written > 0) from error


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
