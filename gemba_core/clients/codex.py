"""Codex CLI (tried: 0.169.0). Unknown keys in a hook's answer are refused.

While its permission hook waits no dialog is shown, and the person at the pane
is locked out: so the wait is short.
"""

from gemba_core.clients.client import (
    Answer,
    Client,
    Decision,
    Dialog,
    Tool,
    context,
    context_or_block,
    denied,
    permission,
    refused,
)


def _decide(decision: Decision) -> Answer:
    if decision.kind == "deny":
        return denied(decision.value)
    return permission({"behavior": "allow"})


_TOOLS = {
    "apply_patch": Tool(patches=True),
    "view_image": Tool(reads=("path",)),
    "Bash": Tool(runs=True),
    # The plan, for the person.
    "update_plan": Tool(),
}

# Tried: `y` approves this call alone, `p` all like it; `n`, `3` and Escape cancel the whole turn.
_DIALOG = Dialog(
    tool="Bash",
    marker="Would you like to run the following command?",
    command="$ ",
    pointer="› ",
    option="1. Yes, proceed (y)",
    key="y",
    no_denial="its keys for no cancel the whole turn",
)

CODEX = Client(
    name="codex",
    takes_answers=frozenset({"PostToolUse", "Stop"}),
    longest_answer=9_000,
    hand_over=context_or_block,
    permission_patience=60.0,
    decide=_decide,
    dialog=_DIALOG,
    tools=_TOOLS,
    refuse=refused,
    plan_tools=frozenset({"update_plan"}),
    longest_context=9_000,
    add_context=context,
    # The first stops what it is doing, the next ends it; none of them answers a dialog with yes.
    quit_keys=("C-c", "C-c", "C-c"),
)
