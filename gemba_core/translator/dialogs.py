"""The agents' own dialogs: permissions and elicitations, and the evidence that they are gone.

Source: wire.md, "Frames to changes", rows PermissionRequest and Notification.
"""

from typing import Any

import msgspec
from msgspec import Raw

from gemba_core.frame import payload as shape
from gemba_core.frame.record import EMPTY, Frame, loosely, strictly
from gemba_core.frame.text import one_line
from gemba_core.frame.vocabulary import DUE
from gemba_core.translator.change import Opened
from gemba_core.translator.deliveries import acknowledged, given_up
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step, canceled, opened, unusable_id
from gemba_core.translator.state import Answer, Escalation, SessionState, oldest_first
from gemba_core.translator.turns import alive, turn_end, with_status

# These report a permission with PermissionRequest, so the notification would be a second one.
_WITH_PERMISSION_HOOK = ("claude", "codex")
_PERMISSION_NOTES = ("permission_prompt", "ToolPermission")


def permission(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """PermissionRequest: a blocking dialog with the tool and its exact input."""
    shown = bytes(hook.tool_input).decode("utf-8", "replace") or frame.payload_raw or ""
    title = f"{hook.tool_name or 'A tool'}: {_summary(hook)}"
    return _dialog(
        state,
        frame,
        source="permission_prompt",
        title=title,
        prompt=shown or title,
        tool=hook.tool_name,
        tool_input=_signature(frame.agent_type, hook),
    )


def tool_done(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """PostToolUse and its like: the permission was given, by a key of ours or in the pane."""
    signature = _signature(frame.agent_type, hook)
    answer = _allowed(state, hook.tool_name, signature)
    if answer is None:
        state, changes = _decided(state, frame, hook.tool_name, signature)
    elif answer.status in DUE:
        state, changes = given_up(state, answer, "decided_in_pane", "pane", frame.ts)
    else:
        state, changes = acknowledged(state, answer, frame.ts, "tool")
    state, more = alive(state, frame, hook, begins=False)
    return state, changes + more


def notification(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """Notification: opens and closes elicitations; the rest is a hint for the status."""
    kind = hook.notification_type
    message = hook.message or "The agent asks for input in its pane."
    if kind == "elicitation_dialog":
        return _dialog(state, frame, source="mcp_elicitation", title=message, prompt=message)
    if kind == "elicitation_complete":
        return _elicited(state, frame)
    if kind in _PERMISSION_NOTES and frame.agent_type not in _WITH_PERMISSION_HOOK:
        return _dialog(state, frame, source="permission_prompt", title=message, prompt=message)
    if kind == "idle_prompt" and state.status == "working":
        return turn_end(state, frame, hook)
    return state, ()


def _dialog(
    state: SessionState,
    frame: Frame,
    *,
    source: str,
    title: str,
    prompt: str,
    tool: str | None = None,
    tool_input: str | None = None,
) -> Step:
    problem = unusable_id(state, frame.event_id)
    if problem:
        return dropped(state, frame, problem)
    number = state.count + 1
    item = Escalation(
        frame.event_id,
        number,
        source,
        "notification",
        "blocking",
        turn=state.turn.number,
        tool=tool,
        tool_input=tool_input,
    )
    change = Opened(
        item.id,
        number,
        source,
        item.channel,
        item.urgency,
        one_line(title),
        prompt,
        frame.ts,
        frame.agent_type,
        bead_id=state.bead_id,
        reply_to=state.reply_to,
        tool=tool,
    )
    return opened(with_status(state, "prompting", frame.ts), item, change)


def _decided(state: SessionState, frame: Frame, tool: str | None, signature: str | None) -> Step:
    """Close the first open permission that this tool call answers."""
    for item in _open_dialogs(state, "permission_prompt"):
        if item.tool is None or (item.tool == tool and item.tool_input == signature):
            return canceled(state, [item], "decided_in_pane", "pane", frame.ts)
    return state, ()


def _allowed(state: SessionState, tool: str | None, signature: str | None) -> Answer | None:
    """The decision from the inbox about the dialog of this tool call, if no hook has handed it in.

    A hook's own answer is confirmed by whatever hook comes next.
    """
    answers: list[Answer] = oldest_first(state.answers) if tool is not None else []
    for answer in answers:
        item = state.closed.get(answer.escalation_ids[0])
        if item is None or item.channel != "notification" or answer.by_hook:
            continue
        if answer.status != "failed" and (item.tool, item.tool_input) == (tool, signature):
            return answer
    return None


def _open_dialogs(state: SessionState, source: str) -> list[Escalation]:
    """The dialogs of that kind that the agent has up, oldest first."""
    if not state.dialogs:
        return []
    up = [item for item in state.open.values() if item.channel == "notification"]
    return sorted((item for item in up if item.source == source), key=lambda item: item.number)


def _elicited(state: SessionState, frame: Frame) -> Step:
    dialogs = _open_dialogs(state, "mcp_elicitation")
    state, changes = canceled(state, dialogs[:1], "decided_in_pane", "pane", frame.ts)
    if not state.dialogs:
        state = with_status(state, "working", frame.ts)
    return state, changes


def _signature(agent_type: str, hook: shape.Hook) -> str | None:
    """What must be equal in a permission and in the tool call that follows it.

    Codex's permission also holds a description: only the command is compared.
    """
    if hook.tool_input == EMPTY:
        return None
    value: Any = strictly(hook.tool_input, object)
    if agent_type == "codex" and isinstance(value, dict) and "command" in value:
        value = {"command": value["command"]}
    # Imported here: a listing translates too, and seldom meets a permission.
    import hashlib

    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


def _summary(hook: shape.Hook) -> str:
    if hook.tool_input == Raw(b""):
        return "asks for permission"
    value = loosely(hook.tool_input)
    shown = value.get("command") or value.get("file_path") or value.get("path")
    return str(shown) if shown else "asks for permission"
