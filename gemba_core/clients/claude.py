"""Claude Code. Output strings of hooks are capped at 10,000 characters.

Its permission dialog can show while the hook still waits: either side may
answer first.
"""

from gemba_core.clients.client import (
    Answer,
    Client,
    Decision,
    context_or_block,
    denied,
    permission,
)


def _decide(decision: Decision) -> Answer:
    if decision.kind == "deny":
        return denied(decision.value)
    allowed: Answer = {"behavior": "allow"}
    if decision.kind == "modify":
        allowed["updatedInput"] = {
            **decision.request.get("tool_input", {}),
            "command": decision.value,
        }
    if decision.always:
        allowed["updatedPermissions"] = decision.request.get("permission_suggestions", [])
    return permission(allowed)


CLAUDE = Client(
    name="claude",
    takes_answers=frozenset({"PostToolUse", "Stop"}),
    longest_answer=9_000,
    hand_over=context_or_block,
    permission_patience=540.0,
    # A bare allow swallows these dialogs.
    own_dialogs=frozenset({"AskUserQuestion", "ExitPlanMode"}),
    edits_commands=True,
    decide=_decide,
)
