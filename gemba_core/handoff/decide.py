"""What agents returned to what is done next: pure, one function for each branch of the table.

Source: spec 001, "plan_status | Action", "Situation | Action" and the fields that
ride alongside.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from gemba_core.handoff import told
from gemba_core.handoff.contract import (
    APPROVAL_REQUEST,
    BLOCKED,
    COMPLETE,
    IN_PROGRESS,
    NEEDS_INPUT,
    NEEDS_VERIFICATION,
    OWNED_ELSEWHERE,
    Contract,
)
from gemba_core.handoff.decision import Action, Decision, Route, Step, Suggestion
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.history import History, Tries
from gemba_core.handoff.parse import Returned
from gemba_core.handoff.said import bulleted, said
from gemba_core.handoff.sender import Sender, senders
from gemba_core.handoff.summary import summarize
from gemba_core.handoff.validate import Context, is_blocked, validate

# An agent is sent back so often in a row, for each of the two reasons; then a person is asked.
MAX_RETRIES = 2
_NOBODY = ("none", "n/a", "null", "-")


@dataclass(frozen=True, slots=True)
class _Case:
    """One agent's contract in its branch."""

    contract: Contract
    findings: tuple[Finding, ...]
    tries: Tries

    def step(self, action: Action, why: str, text: str = "") -> Step:
        contract = self.contract
        return Step(action, contract.agent_id, contract.status, why, text, self.findings, contract)


Taken: TypeAlias = tuple[Step, Tries]


def decide(
    contracts: Sequence[Returned],
    history: History | None = None,
    *,
    in_flight: int = 1,
    context: Context | None = None,
) -> Decision:
    """What to do about what these agents returned, in the order of their dispatch.

    Of two contracts of one agent the later one counts. While fewer than `in_flight`
    are in, nothing is decided and nothing counted.
    """
    history, context = history or History(), context or Context()
    heard = senders(contracts, history, context)
    if len(heard) < in_flight:
        return Decision("hold", history, waiting_for=in_flight - len(heard))
    steps: list[Step] = []
    after = history
    for one in heard:
        step, tries = _step(contracts[one.index], one, history.of(one.key, one.place), context)
        steps.append(step)
        after = after.with_tries(one.key, one.place, tries)
    return _round(tuple(steps), after)


def _round(steps: tuple[Step, ...], history: History) -> Decision:
    done = [step.contract for step in steps if step.action == "close" and step.contract]
    suggestions = tuple(
        one for step in steps if step.contract and _is_away(step) for one in _memory(step.contract)
    )
    if len(done) < len(steps):
        return Decision("act", history, steps=steps, suggestions=suggestions)
    routes = tuple(route for one in done for route in _routes(one, is_alone=len(done) == 1))
    return Decision(
        "route" if routes else "relay",
        history,
        steps=steps,
        routes=routes,
        summary=summarize(done),
        suggestions=suggestions,
    )


def _step(returned: Returned, sender: Sender, tries: Tries, context: Context) -> Taken:
    findings = tuple(validate(returned, context))
    contract = returned if isinstance(returned, Contract) else None
    if contract is None or is_blocked(findings):
        return _repair(sender.agent_id, contract, findings, tries)
    return _BRANCHES[contract.status](_Case(contract, findings, replace(tries, repairs=0)))


def _repair(
    agent_id: str | None, contract: Contract | None, findings: tuple[Finding, ...], tries: Tries
) -> Taken:
    """Missing, malformed, or not what its status needs: back to its agent, twice at most."""
    codes = ", ".join(one.code for one in findings if one.severity == "blocking")
    text = told.mend(findings)
    if tries.repairs < MAX_RETRIES:
        why = f"the contract cannot be taken: {codes}"
        step = Step("repair", agent_id, "", why, text, findings, contract)
        return step, replace(tries, repairs=tries.repairs + 1)
    why = f"{MAX_RETRIES} repairs have not helped: {codes}"
    return Step("pause", agent_id, "", why, text, findings, contract), Tries()


def _complete(case: _Case) -> Taken:
    """Done, unless its loop goes on."""
    loop = case.contract.loop_state
    if loop is None or not loop.holds:
        return case.step("close", "complete and verified"), Tries()
    why = next(one.detail for one in case.findings if one.code == "LOOP_STATE_INCOMPLETE")
    text = told.iterate(case.contract, why)
    seen = case.tries.iteration
    assert loop.iteration is not None
    if seen is None or loop.iteration > seen:
        return case.step("resume", why, text), Tries(iteration=loop.iteration)
    return _again(case, why, text)


def _in_progress(case: _Case) -> Taken:
    """Resumed, twice in a row at most."""
    return _again(case, "it is in progress", told.go_on(case.contract))


def _again(case: _Case, why: str, text: str) -> Taken:
    """Sent back without progress that could be seen; the third time is a stall."""
    tries = case.tries
    if tries.in_progress < MAX_RETRIES:
        again = replace(tries, in_progress=tries.in_progress + 1)
        return case.step("resume", why, text), again
    return case.step("pause", f"it stalls: resumed {MAX_RETRIES} times, and {why}", text), Tries()


def _approval_request(case: _Case) -> Taken:
    """A person consents to a grant, or to a plan."""
    request = case.contract.approval_request
    what = "a grant waits for consent" if request and request.approval_id else "a plan"
    return case.step("approve", what), Tries()


def _needs_input(case: _Case) -> Taken:
    """A person answers, and the same agent goes on with that."""
    return case.step("ask", "it needs an answer"), Tries()


def _blocked(case: _Case) -> Taken:
    """A person directs a new agent, or accepts that it ends here."""
    return case.step("block", "it cannot go on"), Tries()


def _needs_verification(case: _Case) -> Taken:
    """Never complete by its own word: another agent checks it."""
    return case.step("verify", "another agent is to verify it", told.verify(case.contract)), Tries()


_BRANCHES: dict[str, Callable[[_Case], Taken]] = {
    COMPLETE: _complete,
    APPROVAL_REQUEST: _approval_request,
    NEEDS_INPUT: _needs_input,
    BLOCKED: _blocked,
    IN_PROGRESS: _in_progress,
    NEEDS_VERIFICATION: _needs_verification,
}


def _routes(contract: Contract, *, is_alone: bool) -> list[Route]:
    """Who comes next, by conflicts, ownership and its own word. One that owns its result, and is
    alone, needs nobody unless it has met conflicts."""
    report = contract.consolidation_report
    if report is None:
        return []
    owner = report.ownership_assessment
    is_owned = owner not in OWNED_ELSEWHERE
    conflicts = bulleted(report.conflicts)
    wanted = said(report.next_best_agent)
    agent = wanted if wanted.lower() not in ("", *_NOBODY) else None
    if is_owned and not conflicts and (is_alone or not agent):
        return []
    why = "conflicts" if conflicts else "next_best_agent" if is_owned else str(owner)
    about = conflicts or bulleted([*report.open_gaps, *contract.evidence_report.open_gaps])
    return [Route(agent, why, about, contract.agent_id)]


def _is_away(step: Step) -> bool:
    """Whether its agent may not return, so that what it suggests would be lost."""
    return bool(step.status) and step.action != "resume"


def _memory(contract: Contract) -> list[Suggestion]:
    found = [
        Suggestion(
            contract.agent_id,
            one.description,
            one.body,
            one.model_dump(by_alias=True, exclude_unset=True),
        )
        for one in contract.memorialize_suggestions or ()
        if said(one.description) and said(one.body)
    ]
    texts = filter(said, contract.memory_suggestions or ())
    return found + [Suggestion(contract.agent_id, text, "", text) for text in texts]
