"""`gemba handoff raise`."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NoReturn

import click

from gemba.handoff.answering import BY, print_next
from gemba.handoff.options import Decided, Round, of_a_round
from gemba.handoff.page import page, raised_line
from gemba.handoff.plain import plain_decision, plain_raised
from gemba.output import print_json, warn, write
from gemba_ask.waiting import leave_in_order, patience_for
from gemba_core import caller
from gemba_core.errors import UsageError
from gemba_core.frame.line import new_event_id
from gemba_core.handoff.opening import NobodyAsked, Place, Raised, raise_all, unsettled
from gemba_core.handoff.question import Question, questions
from gemba_core.waiting import waiting

_EPILOG = """\
Examples:

\b
  gemba handoff raise answer.md --history .handoffs.json
  gemba handoff raise answer.md --wait --timeout 10m --json

It decides as `gemba handoff decide` does, and takes up what that has just decided about
the same messages. Where no person is needed, nothing is raised. The same question is not
open twice.

\b
Exit codes:
  0  raised, or nothing to raise; with --wait: decided, and what to do is printed
  1  failed, and it says why
  2  usage, or no session
  3  the mode is dangerous: nobody is asked, nothing was raised, no answer is made up
  4  no answer in time: it stays open; take it up with gemba handoff next ID --wait
  5  deferred: the operator put it aside
  6  canceled
"""


@click.command("raise", epilog=_EPILOG)
@of_a_round
@click.option("--bead", metavar="ID", help="The work item that this is about.")
@click.option("--wait", is_flag=True, help="Wait for the answers, and say what to do next.")
@click.option("--timeout", metavar="TIME", help="How long to wait: 90s, 10m, 2h; by default 110s.")
@click.option("--json", "as_json", is_flag=True, help="An object a line (docs/handoff.md).")
def raise_(given: Round, bead: str | None, wait: bool, timeout: str | None, as_json: bool) -> None:
    """Ask the operator what the agents' hand-offs call for."""
    if timeout is not None and not wait:
        raise UsageError("--timeout goes with --wait")
    place = _here(bead)
    patience = patience_for(timeout, place.agent_type, _say) if wait else 0.0
    decided = given.decided(anew=False)
    asked = unsettled(place.session_id, questions(decided.decision))
    try:
        if wait and asked:
            _raise_and_wait(place, decided, asked, patience, as_json=as_json)
        _tell(decided, raise_all(place, asked), as_json=as_json)
    except NobodyAsked:
        _tell(decided, [], as_json=as_json)
        raise


def _here(bead: str | None) -> Place:
    mode, assumed = caller.interaction_mode()
    if assumed:
        _say(assumed)
    session_id, agent_type = caller.required_session_id(), caller.agent_type()
    return Place(session_id, mode, agent_type, bead, caller.return_address())


def _raise_and_wait(
    place: Place, decided: Decided, asked: Sequence[Question], patience: float, *, as_json: bool
) -> NoReturn:
    frames = [place.asked(question) for question in asked]
    with ExitStack() as held:
        waits, raised = [], []
        for question, frame in zip(asked, frames, strict=True):
            event_id = new_event_id()
            one = held.enter_context(waiting(place.session_id, event_id, by=BY, asked=frame))
            waits.append(one)
            raised.append(Raised(one.id, one.urgency, one.id != event_id, question))
        _tell(decided, raised, as_json=as_json)
        leave_in_order()
        held.enter_context(waits[0].shown_as_prompting(place.agent_type))
        print_next(waits, patience, as_json=as_json)


def _tell(decided: Decided, raised: Sequence[Raised], *, as_json: bool) -> None:
    """Keep the counts, now that all of it is open, and print what was decided and raised."""
    decided.keep()
    decision = decided.decision
    if as_json:
        print_json(
            {"decision": plain_decision(decision), "raised": [plain_raised(one) for one in raised]}
        )
        return
    lines = "\n".join(map(raised_line, raised)) or "Nothing to ask the operator.\n"
    write(f"{page(decision)}\n{lines}".encode("utf-8", "replace"))


def _say(text: str) -> None:
    warn([text])
