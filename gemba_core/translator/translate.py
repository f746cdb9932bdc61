"""Each frame to the room that knows it."""

from collections.abc import Callable

from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import EMPTY, Frame, strictly
from gemba_core.translator import asks, decisions, deliveries, dialogs, plane, prompts, turns
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step
from gemba_core.translator.state import Client, Echo, SessionState

# The hooks that say no more than that the turn is alive, and those that end a tool's call.
TOOL_BEGINS = frozenset({"PreToolUse", "BeforeTool", "SubagentStart"})
TOOL_ENDS = frozenset(
    {"PostToolUse", "PostToolUseFailure", "AfterTool", "PostToolBatch", "SubagentStop"}
)
TOOL_HOOKS = TOOL_BEGINS | TOOL_ENDS
_TURN_ENDS = frozenset({"Stop", "StopFailure", "AfterAgent", "Interrupt"})
_PROMPTS = frozenset({"UserPromptSubmit", "BeforeAgent"})

_KNOWN = (
    TOOL_HOOKS
    | _TURN_ENDS
    | _PROMPTS
    | {"SessionStart", "SessionEnd", "PermissionRequest", "Notification"}
)

_MAX_ECHOES = 32


def translate(state: SessionState, frame: Frame) -> Step:
    """The state after the frame, and what it changes beyond that state.

    Pure: no clock, no file, no database. Unknown hooks change nothing. The
    frame must be of the state's session.
    """
    if not state.created_at:
        state = replace(state, created_at=frame.ts, status_at=state.status_at or frame.ts)
    if frame.agent_type and not state.agent_type:
        state = replace(state, agent_type=frame.agent_type)
    own = _OWN.get(frame.hook)
    if own is not None:
        return own(state, frame)
    if frame.hook.startswith("Gemba"):
        return state, ()
    return _agent_hook(state, frame)


def _agent_hook(state: SessionState, frame: Frame) -> Step:
    if frame.hook not in _KNOWN:
        return state, ()
    hook = shape.Hook() if frame.payload == EMPTY else strictly(frame.payload, shape.Hook)
    if hook is None:
        return dropped(state, frame, "malformed")
    if frame.hook == "SessionStart":
        return turns.start(state, frame, hook)
    if frame.hook == "SessionEnd" and not _is_foreign(state, hook):
        return turns.end(state, frame, hook)
    if state.is_ended or _is_foreign(state, hook):
        return state, ()
    if state.client is None and hook.session_id:
        # Hooked in while the agent was running: the first that speaks is the session's own.
        state = replace(state, client=Client(hook.session_id))
    state, confirmed = deliveries.confirmed(state, frame.ts)
    state, changes = _own_hook(state, frame, hook)
    return state, confirmed + changes


def _own_hook(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """A hook of the bound client, in a session that has not ended."""
    if frame.hook in _PROMPTS:
        return prompts.prompt(state, frame, hook)
    if frame.hook in _TURN_ENDS:
        return turns.turn_end(state, frame, hook)
    if frame.hook in TOOL_BEGINS:
        return turns.alive(state, frame, hook, begins=True)
    if frame.hook in TOOL_ENDS:
        return dialogs.tool_done(state, frame, hook)
    if frame.hook == "PermissionRequest":
        return dialogs.permission(state, frame, hook)
    return dialogs.notification(state, frame, hook)


def _is_foreign(state: SessionState, hook: shape.Hook) -> bool:
    """Whether another client than the bound one sent this: a child that inherited our session."""
    client = state.client
    if client is None or not client.session_id or hook.session_id is None:
        return False
    return hook.session_id != client.session_id


def _echo(state: SessionState, frame: Frame) -> Step:
    given = strictly(frame.payload, shape.EchoText)
    if given is None:
        return dropped(state, frame, "malformed")
    echoes = (*state.echoes, Echo(given.text_sha256, given.length))[-_MAX_ECHOES:]
    return replace(state, echoes=echoes), ()


_OWN: dict[str, Callable[[SessionState, Frame], Step]] = {
    "GembaAsk": asks.ask,
    "GembaEscalate": asks.escalate,
    "GembaState": turns.report,
    "GembaSkill": turns.lead,
    "GembaResolve": decisions.resolve,
    "GembaReopen": decisions.reopen,
    "GembaCancel": decisions.cancel,
    "GembaClaim": decisions.claim,
    "GembaRelease": decisions.claim,
    "GembaDelivery": deliveries.delivery,
    "GembaEcho": _echo,
    "GembaReservation": plane.reservation,
    "GembaWorkspace": plane.workspace,
    "GembaSession": plane.session,
    "GembaCost": plane.cost,
}
