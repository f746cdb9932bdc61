"""A prompt that the agent reports: a receipt, a possible reply, or the person's answer.

Source: wire.md, "A prompt", whose order this keeps.
"""

from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import Frame
from gemba_core.frame.text import deliverable
from gemba_core.translator.change import Delivered, PossibleReply, Resolved
from gemba_core.translator.deliveries import acknowledged
from gemba_core.translator.escalations import Step, settled
from gemba_core.translator.state import Answer, Escalation, SessionState, Turn, oldest_first
from gemba_core.translator.turns import decided_in_pane, with_status


def prompt(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """UserPromptSubmit, BeforeAgent: a turn begins, and the text may settle one thing."""
    turn_before = state.turn
    same_turn = _is_same_turn(turn_before, hook.turn_id)
    state, closed = decided_in_pane(state, frame)
    state = _begun(state, frame, hook.turn_id, same_turn=same_turn)
    if hook.prompt is None or not deliverable(hook.prompt):
        return state, closed
    state, changes = _read(state, frame, deliverable(hook.prompt), same_turn=same_turn)
    return state, closed + changes


def _read(state: SessionState, frame: Frame, text: str, *, same_turn: bool) -> Step:
    echoed = _without_echo(state, text)
    if echoed is not None:
        return echoed, ()
    answer = _reported(state, text)
    if answer is not None:
        return acknowledged(state, answer, frame.ts)
    if any(answer.in_flight for answer in state.answers.values()):
        return state, ()
    asked = _oldest_asked(state)
    if asked is None:
        return state, ()
    if same_turn and asked.turn == state.turn.number:
        return state, (PossibleReply(asked.id, text),)
    return _answered_in_pane(state, asked, text, frame)


def _is_same_turn(turn: Turn, turn_id: str | None) -> bool:
    """Same `turn_id`, or a prompt seen and no turn end since."""
    if turn_id is not None and turn.id is not None:
        return turn_id == turn.id
    return turn.open and turn.prompted


def _begun(
    state: SessionState, frame: Frame, turn_id: str | None, *, same_turn: bool
) -> SessionState:
    if same_turn:
        turn = replace(state.turn, open=True)
    else:
        turn = Turn(state.turn.number + 1, open=True, id=turn_id, prompted=True)
    # Also within a turn: whoever types again has the word, and an interrupt has no hook.
    return with_status(replace(state, turn=turn, lead=None), "working", frame.ts)


def _without_echo(state: SessionState, text: str) -> SessionState | None:
    """The state less the expected echo that this text is; None if it is none."""
    if not state.echoes:
        return None
    # Imported here: a listing translates too, and seldom meets an echo.
    import hashlib

    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    for number, echo in enumerate(state.echoes):
        if echo.sha256 == digest:
            rest = state.echoes[:number] + state.echoes[number + 1 :]
            return replace(state, echoes=rest)
    return None


def _reported(state: SessionState, text: str) -> Answer | None:
    """The oldest unacknowledged answer of that text, or one in flight that is within it."""
    answers: list[Answer] = [answer for answer in oldest_first(state.answers) if answer.text]
    for answer in answers:
        if answer.text == text:
            return answer
    return next((answer for answer in answers if answer.in_flight and answer.text in text), None)


def _oldest_asked(state: SessionState) -> Escalation | None:
    asked = [item for item in state.open.values() if item.channel == "tool_call"]
    return min(asked, key=lambda item: item.number, default=None)


def _answered_in_pane(state: SessionState, item: Escalation, text: str, frame: Frame) -> Step:
    """The operator answered at the agent's own prompt, which is the receipt as well."""
    state = settled(state, item, "resolved", frame.event_id)
    resolution = Resolved(item.id, frame.event_id, "modify", text, "operator", "pane", frame.ts)
    receipt = Delivered(frame.event_id, 1, "acknowledged", frame.ts, "prompt")
    return state, (resolution, receipt)
