"""A contract as a person wants to read it: what came of it, the proof, what it touches, what is
left."""

from collections.abc import Iterable, Sequence

from gemba_core.handoff.contract import ApprovalRequest, Contract
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.parse import Returned
from gemba_core.handoff.said import bulleted, exactly, said
from gemba_core.handoff.summary import summarize


def render(returned: Returned, findings: Sequence[Finding]) -> str:
    """All that it says, in plain text and shown inert; at the end what is wrong with it."""
    wrong = ("What is wrong with it", bulleted(map(line_of, findings)))
    if not isinstance(returned, Contract):
        return _sections([wrong])
    status, evidence = returned.agent_status, returned.evidence_report
    summary = summarize([returned])
    head = said(f"{returned.status or 'no status'}  {status.agent_id or 'no agent id'}")
    sections = [
        ("", summary.words),
        ("Verified", summary.verification),
        ("Also affected", summary.cross_layer_impacts),
        ("Still open", summary.open_gaps),
        ("Next", said(status.next_action)),
        ("Still to do", bulleted(status.pending_steps)),
        ("To be approved", _approval(returned.approval_request)),
        ("What failed", said(returned.failure_report)),
        ("Rolled back", said(returned.rollback_executed)),
        ("Found", bulleted(evidence.key_outputs) if summary.is_own else ""),
        ("With others", _consolidation(returned)),
        ("To be remembered, if you say so", _memory(returned)),
        ("Commands", bulleted(evidence.commands_run)),
        ("Files", bulleted(evidence.files_checked)),
        ("Looked for", bulleted(evidence.patterns_checked)),
        ("Output", bulleted(evidence.verbatim_outputs)),
        wrong,
    ]
    return f"{head}\n\n{_sections(sections)}"


def line_of(finding: Finding) -> str:
    """A finding in one line."""
    where = f" {finding.field}" if finding.field else ""
    return f"{finding.severity}: {finding.code}{where}: {finding.detail}"


def _approval(request: ApprovalRequest | None) -> str:
    if request is None:
        return ""
    given = [(name, exactly(getattr(request, name))) for name in request.required]
    given.append(("approval_id", said(request.approval_id)))
    return _facts(given)


def _consolidation(contract: Contract) -> str:
    report = contract.consolidation_report
    if report is None:
        return ""
    return _facts(
        [
            ("ownership", said(report.ownership_assessment)),
            ("confirmed", bulleted(report.confirmed_findings)),
            ("suspected", bulleted(report.suspected_findings)),
            ("conflicts", bulleted(report.conflicts)),
            ("open gaps", bulleted(report.open_gaps)),
            ("next agent", said(report.next_best_agent)),
        ]
    )


def _memory(contract: Contract) -> str:
    entries = [f"{one.description}\n{one.body}" for one in contract.memorialize_suggestions or ()]
    return bulleted([*entries, *(contract.memory_suggestions or ())])


def _facts(given: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{name}:{_beside(text)}" for name, text in given if text)


def _beside(text: str) -> str:
    """On the same line, or where it has many, below and indented."""
    return f" {text}" if "\n" not in text else "\n  " + text.replace("\n", "\n  ")


def _sections(sections: Iterable[tuple[str, str]]) -> str:
    """Those that say something, each under its heading."""
    parts = []
    for heading, text in sections:
        if text and heading:
            parts.append(f"{heading}\n  " + text.replace("\n", "\n  "))
        elif text:
            parts.append(text)
    return "\n\n".join(parts) + "\n"
