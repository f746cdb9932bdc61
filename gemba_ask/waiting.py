"""`gemba-ask --wait`: ask, wait in the own session, print the answer, leave by its exit code."""

import json
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from gemba_ask.clients import patience_of
from gemba_core import caller, home
from gemba_core.errors import UsageError
from gemba_core.frame.origin import is_handoff
from gemba_core.handover import write_out
from gemba_core.journal import Journal
from gemba_core.settings import seconds, wait_timeout
from gemba_core.translator.state import Escalation
from gemba_core.waiting import Asked, Ending, Outcome, Waiting, waiting

if TYPE_CHECKING:
    from gemba_core.skills.mentions.answered import Mentioned

_EXIT_CODES: dict[Ending, int] = {
    "answered": 0,
    "denied": 3,
    "unanswered": 4,
    "deferred": 5,
    "canceled": 6,
    "expired": 6,
    "defaulted": 7,
}
# What `state` is in the JSON; any other ending is a state.
_STATES: dict[Ending, str] = {
    "answered": "resolved",
    "denied": "resolved",
    "defaulted": "resolved",
    "unanswered": "open",
}

Say = Callable[[str], None]


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
    agent_type = caller.agent_type()
    patience = patience_for(timeout, agent_type, say)
    opening = Asked("GembaAsk", asked, agent_type) if asked is not None else None
    with waiting(session_id, escalation_id, by="gemba-ask", asked=opening) as one:
        _refuse_handoff(one)
        printing = _Printing(one, as_json)
        if one.is_open:
            say(
                f"{one.id} ({one.urgency}): waiting up to {patience:g} s; "
                f"{patience_of(agent_type).advice}"
            )
            leave_in_order()
        with one.shown_as_prompting(agent_type):
            outcome = one.until_settled(patience, printing.take)
            printing.lead()
    note = _note(one.id, outcome, patience)
    if note:
        say(note)
    return _EXIT_CODES[outcome.ended]


def asked_as(session_id: str, event_id: str) -> Escalation | None:
    """The escalation that this ask opened or was folded into. Raises LogError."""
    with Journal(session_id) as journal:
        journal.advance()
        return journal.state.find(event_id)


def _refuse_handoff(one: Waiting) -> None:
    """Its answer is a decision with rules of its own, not a text. Raises UsageError."""
    opened = one.journal.opened.get(one.id)
    if opened is not None and is_handoff(opened.detail):
        raise UsageError(
            f"{one.id}: a hand-off has raised it; `gemba handoff next {one.id} --wait` fetches "
            "the answer and says what to do"
        )


class _Printing:
    """The answer on its way to standard output, with the guidance of a skill that it mentions."""

    def __init__(self, one: Waiting, as_json: bool) -> None:
        self._one = one
        self._as_json = as_json
        self._mentioned: Mentioned | None = None

    def take(self, outcome: Outcome) -> None:
        """Print it. Raises NotWritten."""
        if outcome.answer is not None:
            self._mentioned = _mentioned(outcome.answer.text)
        write_out(self._printed(outcome))

    def lead(self) -> None:
        """Have the skill lead, now that the agent has it."""
        if self._mentioned is not None:
            self._mentioned.lead(self._one.journal)

    def _printed(self, outcome: Outcome) -> bytes:
        guidance = self._mentioned.guidance if self._mentioned else None
        if not self._as_json:
            after = f"\n---\n{guidance}" if guidance else ""
            return f"{outcome.value}\n{after}".encode() if outcome.value is not None else b""
        resolution = outcome.resolution
        told = {
            "id": self._one.id,
            "session_id": self._one.journal.session_id,
            "urgency": self._one.urgency,
            "state": _STATES.get(outcome.ended, outcome.ended),
            "kind": resolution.kind if resolution else None,
            "value": outcome.value,
            "free_text": outcome.is_free,
            "resolved_by": resolution.by if resolution else None,
            "via": resolution.via if resolution else None,
            "guidance": guidance,
        }
        return json.dumps(told).encode() + b"\n"


def _mentioned(text: str) -> "Mentioned | None":
    """The skill that the answer mentions, which the agent is given after it."""
    if "$" not in text:
        return None
    # Imported here: only an answer that may mention a skill pays for it.
    from gemba_core.clients import client_of
    from gemba_core.skills.mentions.answered import mentioned_in

    return mentioned_in(text, limit=client_of(caller.agent_type()).longest_context)


def _note(escalation_id: str, outcome: Outcome, patience: float) -> str:
    """What the agent should know beside the answer, or instead of one."""
    if outcome.ended == "unanswered":
        return (
            f"no answer within {patience:g} s; the escalation stays open: "
            f"take it up again with `gemba-ask --resume {escalation_id} --wait`"
        )
    if outcome.ended == "expired":
        return f"{escalation_id}: expired, nobody answered by the deadline"
    if outcome.ended == "canceled":
        return f"{escalation_id}: canceled, not answered"
    if outcome.ended == "deferred" and outcome.resolution is not None:
        return f"{escalation_id}: deferred by {outcome.resolution.by}"
    if outcome.ended == "defaulted":
        return f"{escalation_id}: no person answered by the deadline; this is the declared default"
    return f"{escalation_id}: free text, not one of the options" if outcome.is_free else ""


def patience_for(timeout: str | None, agent_type: str, say: Say) -> float:
    """How long to wait, in seconds: as given, as configured, as the client has it.

    Raises UsageError.
    """
    if timeout is not None:
        given = seconds(timeout)
        if given is None:
            raise UsageError(f"--timeout {timeout!r}: give a time such as 90s, 10m or 2h")
        return given
    configured, problem = wait_timeout(home.config_path())
    if problem:
        say(problem)
    return configured or patience_of(agent_type).timeout


def leave_in_order() -> None:
    """When ended, leave by an exception, so that the session's state is put right."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)


def _leave(number: int, _: object) -> None:
    sys.exit(128 + number)
