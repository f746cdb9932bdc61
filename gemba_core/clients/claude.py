"""Claude Code. Output strings of hooks are capped at 10,000 characters.

Its permission dialog can show while the hook still waits: either side may
answer first.
"""

from collections.abc import Mapping
from typing import Any

from gemba_core.clients.client import (
    Answer,
    Client,
    Decision,
    Tool,
    before_tool,
    context,
    context_or_block,
    denied,
    permission,
    refused,
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


def _answered(asked: Mapping[str, Any], answers: Mapping[str, str]) -> Answer:
    given = {"questions": asked.get("questions"), "answers": dict(answers)}
    return before_tool("allow", updatedInput=given)


_TOOLS = {
    "Read": Tool(reads=("file_path",)),
    "Write": Tool(writes=("file_path",)),
    "Edit": Tool(writes=("file_path",)),
    "MultiEdit": Tool(writes=("file_path",)),
    "NotebookRead": Tool(reads=("notebook_path",)),
    "NotebookEdit": Tool(writes=("notebook_path",)),
    "LS": Tool(reads=("path",)),
    "Glob": Tool(searches=("path",), patterns=("pattern",)),
    "Grep": Tool(searches=("path",), patterns=("glob",)),
    "Bash": Tool(runs=True),
    # Words for people and for other agents, whose own calls are guarded.
    "AskUserQuestion": Tool(),
    "ExitPlanMode": Tool(),
    "TodoWrite": Tool(),
    "Task": Tool(),
    "Agent": Tool(),
    "WebSearch": Tool(),
}

CLAUDE = Client(
    name="claude",
    takes_answers=frozenset({"PostToolUse", "Stop"}),
    longest_answer=9_000,
    hand_over=context_or_block,
    permission_patience=540.0,
    # A bare allow swallows these dialogs.
    own_dialogs=frozenset({"AskUserQuestion", "ExitPlanMode"}),
    edits_commands_of=frozenset({"Bash"}),
    lasting_rules=True,
    decide=_decide,
    tools=_TOOLS,
    refuse=refused,
    question_tool="AskUserQuestion",
    answer_questions=_answered,
    plan_tools=frozenset({"ExitPlanMode", "TodoWrite"}),
    longest_context=9_000,
    add_context=context,
    # The first stops what it is doing; of the others two in a row end it. None answers a dialog.
    quit_keys=("C-c", "C-c", "C-c"),
)
