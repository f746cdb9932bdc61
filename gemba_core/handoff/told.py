"""What agents are told when they are sent back, or sent on."""

from collections.abc import Iterable

from gemba_core.handoff.contract import Contract, EvidenceReport
from gemba_core.handoff.fences import TAG
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.said import bulleted, said

_AT_THE_END = f"End with an {TAG} block, as before."
_LISTS = ",\n".join(f'    "{name}": []' for name in EvidenceReport.required)
_TEMPLATE = f"""\
```{TAG}
{{
  "agent_status": {{
    "plan_status": "<status>",
    "agent_id": "<your id>",
    "pending_steps": [],
    "next_action": "<done, or what comes next>"
  }},
  "evidence_report": {{
{_LISTS}
  }}
}}
```"""


def go_on(contract: Contract) -> str:
    """For an agent that is in the midst of its work."""
    status = contract.agent_status
    pending = bulleted(status.pending_steps)
    todo = f"\nStill to do:\n{pending}" if pending else ""
    return f"Go on where you stopped. Next: {said(status.next_action)}{todo}\n{_AT_THE_END}"


def iterate(contract: Contract, why: str) -> str:
    """For an agent whose loop has not reached its threshold."""
    return (
        f"Not complete yet: {why}. Do the next iteration, and count it in loop_state.\n"
        f"{_AT_THE_END}"
    )


def mend(findings: Iterable[Finding]) -> str:
    """For an agent whose contract cannot be taken."""
    wrong = "\n".join(
        f"- {one.code}{f' ({one.field})' if one.field else ''}: {one.detail}"
        for one in findings
        if one.severity == "blocking"
    )
    return (
        f"Your contract cannot be taken as it is:\n{wrong}\n"
        "Return the whole block again with that mended. Say what is so: make up no status and no "
        "result; if the work is not done, say IN_PROGRESS or BLOCKED.\n"
        "The fence stands on lines of its own, the body is strict JSON, and these are always "
        f"there:\n{_TEMPLATE}\n"
        "COMPLETE also needs evidence_report.verification with result pass; APPROVAL_REQUEST "
        "needs approval_request with exact_content, rollback and verification."
    )


def verify(contract: Contract) -> str:
    """For an agent that checks what another one says it has done."""
    evidence, who = contract.evidence_report, contract.agent_id or "another agent"
    claims = bulleted(evidence.key_outputs) or said(contract.user_facing_summary)
    files = bulleted(evidence.files_checked)
    parts = [
        f"Verify what {who} says is done. Check it yourself, do not take its word.",
        f"It says:\n{claims}" if claims else "",
        f"Files:\n{files}" if files else "",
        "Return COMPLETE with verification.result pass only where your own check has passed; "
        "else IN_PROGRESS with what you found.",
    ]
    return "\n".join(filter(None, parts))
