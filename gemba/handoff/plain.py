"""Findings, decisions and what follows, for a program. The fields: docs/handoff.md."""

from dataclasses import asdict
from typing import Any

from gemba_core.handoff.decision import Decision, Step
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.opening import Raised


def plain_finding(finding: Finding) -> dict[str, Any]:
    """Its four fields."""
    return asdict(finding)


def plain_decision(decision: Decision) -> dict[str, Any]:
    """The decision, without the contracts themselves."""
    summary = decision.summary
    return {
        "turn": decision.turn,
        "waiting_for": decision.waiting_for,
        "steps": [_plain_step(step) for step in decision.steps],
        "routes": [asdict(route) for route in decision.routes],
        "summary": {**asdict(summary), "text": summary.text} if summary else None,
        "suggestions": [asdict(one) for one in decision.suggestions],
    }


def plain_raised(raised: Raised) -> dict[str, Any]:
    """An escalation that is open."""
    question = raised.question
    return {
        "id": raised.id,
        "source": question.source,
        "urgency": raised.urgency,
        "title": question.title,
        "purpose": question.about.purpose,
        "agent_id": question.about.agent_id,
        "asked_again": raised.again,
    }


def _plain_step(step: Step) -> dict[str, Any]:
    return {
        "action": step.action,
        "agent_id": step.agent_id,
        "plan_status": step.status or None,
        "why": step.why,
        "text": step.text,
        "findings": [plain_finding(one) for one in step.findings],
    }
