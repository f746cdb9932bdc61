"""What a person is asked because of what an agent returned.

Source: spec 001, APPROVAL_REQUEST, NEEDS_INPUT, BLOCKED, IN_PROGRESS, "Situation | Action" and
`memorialize_suggestions`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from gemba_core.frame.text import one_line
from gemba_core.handoff.contract import ApprovalRequest, Contract
from gemba_core.handoff.decision import ESCALATED, Decision, Step, Suggestion
from gemba_core.handoff.options import options_in
from gemba_core.handoff.said import bulleted, marked, said

Purpose: TypeAlias = Literal["input", "plan", "consent", "blocker", "stall", "memory"]

EXECUTE, MODIFY, CANCEL, REJECT = "execute", "modify", "cancel", "reject"
ACCEPT, AGAIN, STOP, KEEP, DROP = "accept", "again", "stop", "yes", "no"


class About(Struct, frozen=True, omit_defaults=True):
    """What the answer is about, kept in the escalation's `detail` for what is done with it.

    text      what was asked, what is blocked, or what a stalled agent would be told again
    approval  the request as it was presented
    entry     the suggestion as the agent wrote it
    """

    purpose: Purpose
    agent_id: str | None = None
    text: str = ""
    approval: dict[str, Any] | None = None
    entry: dict[str, Any] | str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """An escalation to be opened: `kind` is what its urgency goes by, `options` (value, label)."""

    source: str
    kind: str
    title: str
    prompt: str
    options: tuple[tuple[str, str], ...]
    about: About

    @property
    def key(self) -> str:
        """The same for the same question, so that it is not open twice."""
        asked = msgspec.json.encode((self.source, self.prompt, self.options, self.about))
        return f"handoff:{hashlib.sha256(asked).hexdigest()[:32]}"


def questions(decision: Decision) -> list[Question]:
    """Those that the decision calls for, each once: the agents' in their order, then each
    suggestion."""
    asked = [question_of(step) for step in decision.steps if step.action in ESCALATED]
    asked += [_memory(one) for one in decision.suggestions]
    return list({one.key: one for one in asked}.values())


def consent_to(approval_id: str) -> str:
    """The one answer that consents to that grant."""
    return f"approve {approval_id}"


def question_of(step: Step) -> Question:
    """What is asked about a step that is a person's to decide."""
    contract = step.contract
    if step.action == "pause" or contract is None:
        return _stall(step)
    if step.action == "ask":
        return _input(step, contract)
    if step.action == "block":
        return _blocker(step, contract)
    assert contract.approval_request is not None
    return _approval(step, contract, contract.approval_request)


def _input(step: Step, contract: Contract) -> Question:
    """NEEDS_INPUT: its own words, and the choices where they can be told."""
    given = contract.agent_status.next_action
    asked, own = said(given), said(contract.user_facing_summary)
    evidence = contract.evidence_report
    prompt = _paragraphs(
        ("", own),
        ("", asked if asked != own else ""),
        ("What it found:\n", bulleted(evidence.key_outputs)),
        ("Open:\n", bulleted(evidence.open_gaps)),
    )
    options = tuple((value, value) for value in options_in(given))
    about = About("input", step.agent_id, asked)
    return Question("question", "question", _title(step, asked), prompt, options, about)


def _blocker(step: Step, contract: Contract) -> Question:
    """BLOCKED: its open gaps; direction, or the end."""
    evidence = contract.evidence_report
    gaps = bulleted(evidence.open_gaps)
    what = gaps or said(contract.agent_status.next_action)
    prompt = _paragraphs(
        ("It cannot go on:\n", what),
        ("", said(contract.user_facing_summary)),
        ("It would have gone on with: ", said(contract.agent_status.next_action) if gaps else ""),
        ("What failed:\n", said(contract.failure_report)),
        ("What it found:\n", bulleted(evidence.key_outputs)),
        ("", "Say what to do, and a new agent is sent; or accept that it ends here."),
    )
    options = ((ACCEPT, "accept: close the task as incomplete"),)
    about = About("blocker", step.agent_id, what)
    return Question("blocker", "blocker", _title(step, what), prompt, options, about)


def _approval(step: Step, contract: Contract, request: ApprovalRequest) -> Question:
    """APPROVAL_REQUEST: all that a person consents to, exactly, and apart from our own words."""
    operation = said(request.operation) or "an operation"
    prompt = _paragraphs(
        ("In its own words:\n", marked(contract.user_facing_summary)),
        ("Operation:\n", marked(request.operation) or "not said"),
        ("Exactly:\n", marked(request.exact_content)),
        ("Scope:\n", marked(request.scope) or "not said"),
        ("Risk:\n", marked(request.risk_level) or "not said"),
        ("Rollback:\n", marked(request.rollback)),
        ("Verification:\n", marked(request.verification)),
        ("Approval: ", request.approval_id or ""),
    )
    shown = request.model_dump(by_alias=True, exclude_unset=True)
    options: tuple[tuple[str, str], ...]
    if request.approval_id:
        approve = f"approve: {one_line(operation, 60)} [{request.approval_id[:10]}]"
        options = ((consent_to(request.approval_id), approve), (REJECT, "reject: it is not run"))
        about = About("consent", step.agent_id, operation, shown)
    else:
        options = (
            (EXECUTE, "execute it as it stands"),
            (MODIFY, "modify it: better answer with what to change"),
            (CANCEL, "cancel: the agent is not resumed"),
        )
        about = About("plan", step.agent_id, operation, shown)
    title = _title(step, f"approve {operation}?")
    return Question("hitl_approval", "blocker", title, prompt, options, about)


def _stall(step: Step) -> Question:
    """The third time in a row: a person looks at it."""
    wrong = bulleted(f"{one.code} {one.field}: {one.detail}" for one in step.findings)
    next_action = said(step.contract.agent_status.next_action) if step.contract else ""
    prompt = _paragraphs(
        ("", step.why[:1].upper() + step.why[1:] + "."),
        ("What it would do next: ", next_action),
        ("What is wrong:\n", wrong),
        ("", "Let it try again, say what it is to do, or stop."),
    )
    options = ((AGAIN, "again: send it back once more"), (STOP, "stop: close as incomplete"))
    about = About("stall", step.agent_id, step.text)
    title = _title(step, step.why)
    return Question("orchestrator_pause", "blocker", title, prompt, options, about)


def _memory(one: Suggestion) -> Question:
    """Kept only on a yes of its own."""
    more: Mapping[str, Any] = one.entry if isinstance(one.entry, dict) else {}
    facts = ", ".join(
        f"{name} {said(more[name])}" for name in ("slug", "type", "class") if said(more.get(name))
    )
    prompt = _paragraphs(
        ("Remember this? ", said(one.description)),
        ("", said(one.body)),
        ("Why: ", said(more.get("rationale"))),
        ("As: ", facts),
    )
    options = ((KEEP, "yes: keep it"), (DROP, "no: forget it"))
    about = About("memory", one.agent_id, one.description, entry=one.entry)
    title = one_line(f"remember? {said(one.description)}")
    return Question("question", "question", title, prompt, options, about)


def _title(step: Step, what: str) -> str:
    return one_line(f"{step.agent_id or 'an agent'}: {one_line(what.removeprefix('- '))}")


def _paragraphs(*parts: tuple[str, str]) -> str:
    """Those that say something, each behind its heading."""
    return "\n\n".join(f"{heading}{what}" for heading, what in parts if what)
