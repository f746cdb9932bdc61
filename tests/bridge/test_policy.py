"""A declared default that reaches an agent at work through its own hook."""

import json

from tests.commands import run_cli
from tests.inbox.scene import ask, shown
from tests.operator.desk import told
from tests.operator.test_tick import PAST

SESSION = {"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": "claude"}


def bridge(hook: str, **call: object) -> str:
    """What the agent's hook prints."""
    given = json.dumps({"session_id": "c", **call})
    return run_cli("gemba-bridge", hook, env=SESSION, input=given).stdout


def test_it_is_told_that_no_person_answered() -> None:
    """Where a person's answer would say whose it is."""
    bridge("SessionStart", source="startup")
    bridge("UserPromptSubmit", prompt="Go on.")
    item = ask(deadline=PAST, on_expiry="default=blue")
    assert told("tick")["defaulted"] == 1
    told("deliver")
    said = bridge("PostToolUse", tool_name="Bash", tool_input={"command": "ls"})
    assert f"No operator's answer to {item}" in said
    assert "No person answered by the deadline; the default that you declared applies: blue" in said
    delivery = shown(item).delivery
    assert delivery is not None
    assert delivery.status == "submitted"
