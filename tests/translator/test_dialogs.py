"""PermissionRequest and Notification: the agents' own dialogs, and how they close."""

import pytest

from gemba_core.translator.change import Closed, Opened
from tests.builders import (
    AT,
    act,
    ask,
    frame,
    hook,
    id_of,
    notification,
    permission,
    prompt,
    resolve,
    start,
    told,
)

LS, PWD = {"command": "ls"}, {"command": "pwd"}


def done(
    tool_input: object,
    *,
    tool: str = "Bash",
    name: str = "PostToolUse",
    agent_type: str = "claude",
) -> bytes:
    """The end of a tool call."""
    return hook(name, agent_type=agent_type, tool_name=tool, tool_input=tool_input)


def test_a_permission_opens_with_the_tool_and_its_exact_input() -> None:
    """Blocking, on the notification channel; the session is prompting."""
    after = told(start(), prompt("go"), permission(1, "Bash", {"command": "rm  -rf x"}))
    (opened,) = after.of(Opened)
    assert (opened.source, opened.channel) == ("permission_prompt", "notification")
    assert (opened.urgency, opened.title) == ("blocking", "Bash: rm  -rf x")
    assert opened.prompt == '{"command":"rm  -rf x"}'
    assert after.state.status == "prompting"


def test_the_same_event_opens_one_dialog_only() -> None:
    """A repeated frame is counted."""
    assert told(permission(1), permission(1)).drops == ["seen_before"]


@pytest.mark.parametrize("name", ["PostToolUse", "PostToolUseFailure", "AfterTool"])
def test_the_matching_tool_call_shows_that_the_person_decided(name: str) -> None:
    """Canceled as decided in the pane, never approved."""
    after = told(start(), permission(1, "Bash", LS), done(LS, name=name))
    assert after.of(Closed) == [Closed(id_of(1), "canceled", "decided_in_pane", "pane", AT)]
    assert after.state.status == "working"


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [("Bash", PWD), ("Edit", LS), ("Bash", LS | {"description": "look"}), ("Bash", None)],
)
def test_another_tool_call_closes_nothing(tool: str, tool_input: object) -> None:
    """Tool and input must be equal; the dialog is still up."""
    after = told(start(), permission(1, "Bash", LS), done(tool_input, tool=tool))
    assert after.open == {id_of(1)}
    assert after.state.status == "prompting"


def test_the_order_of_an_inputs_keys_means_nothing() -> None:
    """Two serialisers of one value may differ in it."""
    asked, ran = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert not told(start(), permission(1, "Bash", asked), done(ran)).open


@pytest.mark.parametrize("other", ["x", ["x"], 1])
def test_inputs_that_are_no_objects_are_told_apart(other: object) -> None:
    """Exact means exact, whatever the type."""
    assert told(start(), permission(1, "Bash", "y"), done(other)).open == {id_of(1)}
    assert not told(start(), permission(1, "Bash", other), done(other)).open


def test_codex_is_matched_by_tool_and_command_only() -> None:
    """Its permission also holds a description, which the tool call does not."""
    asked = permission(1, "Bash", LS | {"description": "look"}, agent_type="codex")
    assert not told(start(), asked, done(LS, agent_type="codex")).open
    assert told(start(), asked, done(PWD, agent_type="codex")).open == {id_of(1)}


def test_equal_permissions_close_first_in_first_out() -> None:
    """One tool call is the evidence for one of them."""
    after = told(start(), permission(1), permission(2), done(LS))
    assert after.open == {id_of(2)}
    assert not after.then(done(LS)).open


@pytest.mark.parametrize(
    "line",
    [hook("Stop"), hook("StopFailure"), hook("Interrupt"), hook("AfterAgent"), prompt("go on")],
)
def test_the_turns_end_and_the_next_prompt_close_every_dialog(line: bytes) -> None:
    """Whatever was up is gone; an ask stays open."""
    asked = told(start(), permission(1), notification("elicitation_dialog"))
    after = asked.then(line)
    assert not after.open
    assert {change.reason for change in after.of(Closed)} == {"decided_in_pane"}


def test_an_ask_is_no_dialog() -> None:
    """A tool's end and the turn's end leave it open."""
    after = told(start(), prompt("go"), ask(1), permission(2), done(LS), hook("Stop"))
    assert after.open == {id_of(1)}


def test_a_decision_closes_a_permission() -> None:
    """And later evidence changes nothing."""
    after = told(start(), permission(1), resolve(1, kind="approve", value=None))
    assert not after.state.dialogs
    assert not after.then(done(LS)).of(Closed)


def test_a_permission_never_takes_a_prompt_as_its_value() -> None:
    """The prompt is evidence that the dialog is gone, no more."""
    after = told(start(), permission(1), prompt("yes"))
    assert after.escalation(1).state == "canceled"


def test_a_reopened_permission_is_a_dialog_again() -> None:
    """It counts as up until there is evidence."""
    closed = told(start(), permission(1), prompt("go"))
    after = closed.then(act("GembaReopen", 1))
    assert after.state.dialogs == 1
    assert not after.then(hook("Stop")).open


def test_an_elicitation_opens_and_completes() -> None:
    """The oldest one; with none left, the session works."""
    opened = told(start(), prompt("go"), notification("elicitation_dialog", id=1))
    (change,) = opened.of(Opened)
    assert (change.source, change.channel) == ("mcp_elicitation", "notification")
    assert opened.state.status == "prompting"
    after = opened.then(notification("elicitation_complete"))
    assert not after.open
    assert after.state.status == "working"


@pytest.mark.parametrize("agent_type", ["claude", "codex"])
def test_clients_with_a_permission_hook_open_nothing_by_notification(agent_type: str) -> None:
    """It would be the same dialog a second time."""
    assert not told(start(), notification("permission_prompt", agent_type=agent_type)).open


@pytest.mark.parametrize("kind", ["permission_prompt", "ToolPermission"])
def test_other_clients_permissions_are_told_by_notification(kind: str) -> None:
    """Which tool is not known: the next tool's end closes it."""
    after = told(start(agent_type="gemini"), notification(kind, id=1, agent_type="gemini"))
    assert after.open == {id_of(1)}
    assert not after.then(done(LS, name="AfterTool", agent_type="gemini")).open


def test_an_idle_notification_ends_a_turn_that_said_nothing_more() -> None:
    """An interrupt by the user fires no hook."""
    after = told(start(), prompt("go"), notification("idle_prompt"))
    assert (after.state.status, after.state.turn.open) == ("ready", False)


def test_other_notifications_change_nothing() -> None:
    """They are a hint at most."""
    before = told(start(), prompt("go"))
    assert before.then(notification("auth_success")).state == before.state


def test_a_hook_of_an_odd_shape_is_dropped() -> None:
    """A tool name that is a number, say."""
    assert told(start(), frame("PermissionRequest", {"tool_name": 1})).drops == ["malformed"]


def test_an_input_with_a_huge_number_is_shown_and_matched() -> None:
    """JSON has no largest number."""
    huge = {"n": 10**400}
    assert not told(start(), permission(1, "Bash", huge), done(huge)).open
