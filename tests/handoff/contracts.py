"""Contracts, briefly: what agents return, whole and broken."""

import json
from collections.abc import Mapping
from typing import Any

from gemba_core.handoff.contract import ConsolidationReport, EvidenceReport
from gemba_core.handoff.parse import Returned, parse

AGENT = "a1b2c3"
OTHER = "a99999"
GRANT = "P-" + "0af3" * 8
TAG = "agent_contract_handoff"
PASSED = {"result": "pass", "details": "12 tests"}
REQUEST: dict[str, Any] = {
    "operation": "push the branch",
    "exact_content": "git push origin topic",
    "scope": "remote origin",
    "risk_level": "MEDIUM",
    "rollback": "git push origin :topic",
    "verification": "git ls-remote origin topic",
}
# (status, what it needs beside) of one sound contract for each status.
NEEDS: dict[str, dict[str, Any]] = {
    "COMPLETE": {"evidence": {"verification": PASSED, "key_outputs": ["Mended"]}},
    "APPROVAL_REQUEST": {"approval_request": REQUEST},
    "NEEDS_INPUT": {"next_action": "Which one?\n- sqlite\n- postgres"},
    "BLOCKED": {"evidence": {"open_gaps": ["No access"]}},
    "IN_PROGRESS": {"next_action": "the second half"},
    "NEEDS_VERIFICATION": {"evidence": {"key_outputs": ["Mended"]}},
}


def fields(
    status: str = "COMPLETE",
    *,
    agent: str = AGENT,
    next_action: object = "done",
    evidence: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A contract's keys and values; the lists of the evidence are empty unless given."""
    lists: dict[str, Any] = {name: [] for name in EvidenceReport.required}
    return {
        "agent_status": {
            "plan_status": status,
            "agent_id": agent,
            "pending_steps": [],
            "next_action": next_action,
        },
        "evidence_report": lists | dict(evidence or {}),
        **more,
    }


def sound(status: str, **more: Any) -> dict[str, Any]:
    """One that its status finds nothing wrong with."""
    return fields(status, **(NEEDS[status] | more))


def report(ownership: str = "owned_here", **more: object) -> dict[str, Any]:
    """A consolidation report."""
    lists: dict[str, Any] = {name: [] for name in ConsolidationReport.required}
    return {**lists, "ownership_assessment": ownership, "next_best_agent": None, **more}


def message(given: object, *, tag: str = TAG) -> str:
    """What the agent writes around it."""
    return f"I have looked at it.\n\n```{tag}\n{json.dumps(given, indent=2)}\n```\n"


def returned(given: object) -> Returned:
    """The same, as it is read."""
    return parse(message(given))


def without(given: dict[str, Any], path: str) -> dict[str, Any]:
    """The fields without the one at that dotted path."""
    head, _, rest = path.partition(".")
    if rest:
        return {**given, head: without(given[head], rest)}
    return {key: value for key, value in given.items() if key != head}
