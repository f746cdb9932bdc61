"""Who has raised an escalation, and by which command the answer is fetched where nobody brings it.

A hand-off and a workflow act upon an answer by rules of their own: fetched in
another way, it would be taken from them.
"""

# The key in an escalation's detail under which `gemba handoff raise` keeps what it is about.
HANDOFF = "handoff"
# What a workflow's own session is called.
WORKFLOW = "workflow"


def is_handoff(detail: object) -> bool:
    """Whether `gemba handoff raise` has raised the escalation with that detail."""
    return isinstance(detail, dict) and HANDOFF in detail


def fetched_by(escalation_id: str, agent_type: str, detail: object) -> str:
    """The command, for whoever has asked."""
    if is_handoff(detail):
        return f"an orchestrator with gemba handoff next {escalation_id}"
    if agent_type == WORKFLOW:
        return "a workflow with gemba workflow resume WORKSPACE"
    return "an agent with gemba-ask --resume"
