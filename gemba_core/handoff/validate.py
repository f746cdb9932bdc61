"""What is wrong with what an agent returned: all of it at once, each with a stable code.

Codes are those of the public runtime. Source: spec 001, both tables and "fields
that ride alongside".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gemba_core.handoff.contract import (
    AGENT_ID,
    APPROVAL_ID,
    APPROVAL_REQUEST,
    COMPLETE,
    OWNERSHIPS,
    PASS,
    RISKS,
    STATUSES,
    ApprovalRequest,
    ConsolidationReport,
    Contract,
    Part,
)
from gemba_core.handoff.finding import Finding, advice
from gemba_core.handoff.parse import Malformed, Missing, Returned
from gemba_core.handoff.said import quoted, said

# No person can consent to a request without these. The rest of it should be there.
_CONSENT = ("exact_content", "rollback", "verification")


@dataclass(frozen=True, slots=True)
class Context:
    """What is known beside the contract.

    agent_id       whom the contract was expected from
    consolidation  whether it must say how it fits with the work of others
    """

    agent_id: str | None = None
    consolidation: bool = False


def validate(returned: Returned, context: Context | None = None) -> list[Finding]:
    """All findings, the blocking ones first. Pure."""
    if isinstance(returned, Missing):
        return [Finding("CONTRACT_MISSING", "", "there is no agent_contract_handoff block")]
    if isinstance(returned, Malformed):
        return [Finding("CONTRACT_MALFORMED", "", f"line {returned.line}: {returned.why}")]
    found = list(_findings(returned, context or Context()))
    settled = {one.field for one in found if one.field}
    remarks = [one for one in returned.remarks if one.field not in settled]
    return sorted([*found, *remarks], key=lambda one: one.severity != "blocking")


def is_blocked(findings: Iterable[Finding]) -> bool:
    """Whether the contract goes back to its agent."""
    return any(one.severity == "blocking" for one in findings)


def _findings(contract: Contract, context: Context) -> Iterator[Finding]:
    left_out = {one.field: one for one in contract.remarks}
    found = (
        *_status(contract),
        *_evidence(contract),
        *_verification(contract),
        *_loop(contract),
        *_consolidation(contract, is_required=context.consolidation),
        *_approval(contract),
        *_memory(contract),
        *_sender(contract, context),
    )
    for one in found:
        # It is not missing, it had another shape: which one, is what helps.
        remark = left_out.get(one.field)
        yield replace(one, detail=remark.detail) if remark else one


def _status(contract: Contract) -> Iterator[Finding]:
    status = contract.agent_status
    if "agent_status" not in contract.model_fields_set:
        yield Finding("AGENT_STATUS", "agent_status", "it is missing")
    yield from _missing(status, "agent_status")
    given = status.model_fields_set
    if "plan_status" in given and status.plan_status not in STATUSES:
        what = f"{quoted(status.plan_status)} is none of {', '.join(STATUSES)}"
        yield Finding("PLAN_STATUS", "agent_status.plan_status", what)
    if "agent_id" in given and not re.fullmatch(AGENT_ID, status.agent_id):
        what = f"{quoted(status.agent_id)} is no agent id: an a and at least five hex digits"
        yield Finding("AGENT_ID", "agent_status.agent_id", what)
    if "next_action" in given and not said(status.next_action):
        yield Finding("NEXT_ACTION", "agent_status.next_action", "it is empty; say what comes next")


def _evidence(contract: Contract) -> Iterator[Finding]:
    if "evidence_report" not in contract.model_fields_set:
        yield Finding("EVIDENCE_REPORT", "evidence_report", "it is missing")
    yield from _missing(contract.evidence_report, "evidence_report")


def _verification(contract: Contract) -> Iterator[Finding]:
    if contract.status != COMPLETE:
        return
    proof, field = contract.evidence_report.verification, "evidence_report.verification"
    if proof is None:
        what = "COMPLETE needs the proof: {result: pass, details: …}"
        yield Finding("VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE", field, what)
    elif proof.result.strip().lower() != PASS:
        what = f"COMPLETE needs pass, and this is {quoted(proof.result)}"
        yield Finding("VERIFICATION_RESULT_MUST_BE_PASS", f"{field}.result", what)


def _loop(contract: Contract) -> Iterator[Finding]:
    if contract.status != COMPLETE:
        return
    # Nobody can tell whether a loop holds that cannot be read.
    for one in _left_out(contract, "loop_state"):
        yield Finding(one.code, one.field, one.detail)
    loop = contract.loop_state
    if loop is not None and loop.holds:
        what = (
            f"iteration {loop.iteration} of {loop.max_iterations}, metric {loop.metric:g} below "
            f"{loop.threshold:g}: it is not complete yet"
        )
        yield advice("LOOP_STATE_INCOMPLETE", "loop_state", what)


def _consolidation(contract: Contract, *, is_required: bool) -> Iterator[Finding]:
    report = contract.consolidation_report
    if report is None and is_required:
        yield Finding("CONSOLIDATION_REPORT", "consolidation_report", "it is missing")
        report = ConsolidationReport()
    if report is None:
        return
    if is_required:
        yield from _missing(report, "consolidation_report")
    given = report.ownership_assessment
    if "ownership_assessment" in report.model_fields_set and given not in OWNERSHIPS:
        what = f"{quoted(given)} is none of {', '.join(OWNERSHIPS)}"
        finding = Finding if is_required else advice
        yield finding("OWNERSHIP_ASSESSMENT", "consolidation_report.ownership_assessment", what)


def _approval(contract: Contract) -> Iterator[Finding]:
    if contract.status != APPROVAL_REQUEST:
        return
    request = contract.approval_request
    if request is None:
        yield Finding("APPROVAL_REQUEST", "approval_request", "it is missing")
        request = ApprovalRequest()
    for name in ApprovalRequest.required:
        if said(getattr(request, name)):
            continue
        field = f"approval_request.{name}"
        if name in _CONSENT:
            what = "it is missing: without it nobody can consent"
            yield Finding(f"APPROVAL_REQUEST_{name.upper()}_REQUIRED", field, what)
        else:
            yield advice("APPROVAL_REQUEST_FIELD_MISSING", field, "it is missing")
    if request.risk_level and request.risk_level not in RISKS:
        what = f"{quoted(request.risk_level)} is none of {', '.join(RISKS)}"
        yield advice("APPROVAL_REQUEST_INVALID_RISK_LEVEL", "approval_request.risk_level", what)
    # One that was left out is blocking as well: it would be a plan, and was to be a grant.
    field, given = "approval_request.approval_id", request.approval_id
    is_grant = given is not None and re.fullmatch(APPROVAL_ID, given)
    if _left_out(contract, field) or not (given is None or is_grant):
        what = f"{quoted(given)} names no grant: P- and 32 hex digits"
        yield Finding("APPROVAL_ID", field, what)


def _memory(contract: Contract) -> Iterator[Finding]:
    for number, one in enumerate(contract.memorialize_suggestions or ()):
        for name in one.required:
            if not said(getattr(one, name)):
                field = f"memorialize_suggestions.{number}.{name}"
                yield advice("MEMORIALIZE_SUGGESTIONS", field, "it is missing: not asked about")


def _sender(contract: Contract, context: Context) -> Iterator[Finding]:
    if context.agent_id and contract.agent_id not in (None, context.agent_id):
        what = f"it is {quoted(contract.agent_id)}, expected was {quoted(context.agent_id)}"
        yield advice("AGENT_ID", "agent_status.agent_id", what)


def _left_out(contract: Contract, field: str) -> list[Finding]:
    """What of that field had another shape than it should."""
    return [one for one in contract.remarks if f"{one.field}.".startswith(f"{field}.")]


def _missing(part: Part, field: str) -> Iterator[Finding]:
    for name in part.required:
        if name not in part.model_fields_set:
            yield Finding(name.upper(), f"{field}.{name}", "it is missing")
