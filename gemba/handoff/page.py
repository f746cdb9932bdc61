"""Decisions for whoever reads them as text: an orchestrator that shells out, a person."""

from gemba_core.frame.text import counted
from gemba_core.handoff.decision import ESCALATED, Decision, Route, Step
from gemba_core.handoff.opening import Raised
from gemba_core.handoff.said import said

_DO = {
    "close": "{0} is done.",
    "resume": "Resume the same agent, {0}, with the text below",
    "repair": "Resume the same agent, {0}, with the text below",
    "verify": "Dispatch another agent to verify {0}, with the text below",
    "ask": "Ask the operator for {0}",
    "approve": "Ask the operator to approve what {0} wants",
    "block": "Tell the operator what blocks {0}",
    "pause": "Stop, and tell the operator of {0}",
}
_NOBODY = "Only the operator can decide about {0}, and nobody may be asked"


def page(decision: Decision, *, may_ask: bool = True) -> str:
    """What to do, one paragraph for each agent, and what the user is told."""
    if decision.turn == "hold":
        more = counted(decision.waiting_for, "more contract")
        return f"Hold: wait for {more}, then decide again with all of them.\n"
    parts = [_step(step, may_ask=may_ask) for step in decision.steps]
    parts += map(_route, decision.routes)
    if decision.summary is not None:
        first = "Then tell" if decision.routes else "Tell"
        own = " (its own words: change only the language)" if decision.summary.is_own else ""
        parts.append(f"{first} the user{own}:\n{decision.summary.text}")
    if decision.suggestions:
        many = counted(len(decision.suggestions), "memory suggestion")
        ask = "ask about each by itself, and " if may_ask else ""
        parts.append(f"{many}: {ask}keep none without a yes.")
    return "\n\n".join(parts) + "\n"


def raised_line(raised: Raised) -> str:
    """What was asked, and how its answer is fetched."""
    again = " again" if raised.again else ""
    return (
        f"{raised.id}\nAsked{again} ({raised.urgency}): {raised.question.title}\n"
        f"When it is answered, `gemba handoff next {raised.id}` says what to do; "
        "with --wait it waits for that.\n"
    )


def _step(step: Step, *, may_ask: bool) -> str:
    do = _DO[step.action] if may_ask or step.action not in ESCALATED else _NOBODY
    do = do.format(step.agent_id or "the one that you dispatched")
    if step.action == "close":
        return do
    text = f"\n---\n{said(step.text)}\n---" if step.text and step.action != "pause" else ""
    return f"{do}: {said(step.why)}.{text}"


def _route(route: Route) -> str:
    who = f" {said(route.agent)}" if route.agent else ", whichever fits"
    about = f":\n{route.about}" if route.about else "."
    return f"First dispatch another agent{who} ({said(route.why)}; not for the user){about}"
