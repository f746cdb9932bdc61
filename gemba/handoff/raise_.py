"""`gemba handoff raise`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack

import click

from gemba.handoff.answering import BY, print_next
from gemba.handoff.options import Decided, Given, of_a_round
from gemba.handoff.page import page, raised_line
from gemba.handoff.plain import plain_decision, plain_raised
from gemba.output import print_json, warn, write
from gemba_ask.waiting import leave_in_order, patience_for
from gemba_core import caller
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.line import new_event_id
from gemba_core.handoff.decision import Decision
from gemba_core.handoff.opening import (
    NobodyAsked,
    Place,
    Raised,
    raise_each,
    unanswered,
    unsettled,
)
from gemba_core.handoff.question import Question, questions
from gemba_core.waiting import Waiting, waiting

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
def raise_(given: Given, bead: str | None, wait: bool, timeout: str | None, as_json: bool) -> None:
    """Ask the operator what the agents' hand-offs call for."""
    if timeout is not None and not wait:
        raise UsageError("--timeout goes with --wait")
    place = _here(bead)
    patience = patience_for(timeout, place.agent_type, _say) if wait else 0.0
    waits: list[Waiting] = []
    with ExitStack() as held:
        with given.decided(unanswered=unanswered(place.session_id)) as decided:
            asked = unsettled(place.session_id, questions(decided.decision))
            opening = _held(place, asked, held, waits) if wait else raise_each(place, asked)
            raised = _opened(decided, opening, as_json=as_json)
        _tell(decided.decision, raised, as_json=as_json)
        if waits:
            leave_in_order()
            held.enter_context(waits[0].shown_as_prompting(place.agent_type))
            print_next(waits, patience, as_json=as_json)


def _here(bead: str | None) -> Place:
    mode, assumed = caller.interaction_mode()
    if assumed:
        _say(assumed)
    session_id, agent_type = caller.required_session_id(), caller.agent_type()
    return Place(session_id, mode, agent_type, bead, caller.return_address())


def _held(
    place: Place, asked: Sequence[Question], held: ExitStack, waits: list[Waiting]
) -> Iterator[Raised]:
    """As `raise_each`, with each of the answers held for us."""
    frames = [place.asked(question) for question in asked]
    for question, frame in zip(asked, frames, strict=True):
        event_id = new_event_id()
        one = held.enter_context(waiting(place.session_id, event_id, by=BY, asked=frame))
        waits.append(one)
        yield Raised(one.id, one.urgency, one.id != event_id, question)


def _opened(decided: Decided, opening: Iterable[Raised], *, as_json: bool) -> list[Raised]:
    """Open them, and keep the counts.

    Where one cannot be opened, those that are open by then are told, and nothing counts: the
    next try decides the same.
    """
    raised: list[Raised] = []
    try:
        for one in opening:
            raised.append(one)
        decided.keep()
    except NobodyAsked:
        decided.keep()
        _tell(decided.decision, [], may_ask=False, as_json=as_json)
        raise
    except GembaError:
        if raised:
            _tell(decided.decision, raised, as_json=as_json)
        raise
    return raised


def _tell(
    decision: Decision, raised: Sequence[Raised], *, as_json: bool, may_ask: bool = True
) -> None:
    if as_json:
        print_json(
            {"decision": plain_decision(decision), "raised": [plain_raised(one) for one in raised]}
        )
        return
    nothing = "Nothing to ask the operator.\n" if may_ask else "Nothing was raised.\n"
    lines = "\n".join(map(raised_line, raised)) or nothing
    write(f"{page(decision, may_ask=may_ask)}\n{lines}".encode("utf-8", "replace"))


def _say(text: str) -> None:
    warn([text])
