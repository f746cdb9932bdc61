"""GembaDelivery, and what a prompt says about a delivery: one status that only rises."""

from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import Frame, strictly
from gemba_core.frame.vocabulary import DELIVERED, DELIVERY_STATUSES, IN_FLIGHT, IN_HAND
from gemba_core.translator.change import Change, Delivered
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step
from gemba_core.translator.state import Answer, SessionState

_RANK = {status: rank for rank, status in enumerate(DELIVERY_STATUSES)}


def delivery(state: SessionState, frame: Frame) -> Step:
    """GembaDelivery: taken if it rises within its attempt, or begins the next one."""
    given = strictly(frame.payload, shape.Delivery)
    if given is None or given.status not in _RANK:
        return dropped(state, frame, "malformed")
    answer = state.answers.get(given.resolution_id)
    if answer is None:
        return dropped(state, frame, "not_due")
    if not _rises(answer, given):
        return dropped(state, frame, "status_goes_back")
    change = Delivered(
        answer.id, given.attempt, given.status, frame.ts, given.by, given.detail, given.lock
    )
    if given.status in DELIVERED:
        return received(state, answer, frame.ts), (change,)
    answer = replace(
        answer,
        status=given.status,
        attempt=given.attempt,
        lock=given.lock if given.status in IN_FLIGHT else None,
        in_flight=given.status in IN_FLIGHT,
        by_hook=given.by == "hook",
    )
    state = replace(state, answers=state.answers.set(answer.id, answer))
    if answer.by_hook and answer.in_flight and not state.turn.open:
        # Given as the reason to go on: the turn that was about to end does not.
        state = replace(state, turn=replace(state.turn, open=True))
    if given.status == "submitted":
        state = _goes_on(state, frame.ts)
    return state, (change,)


def received(state: SessionState, answer: Answer, at: str) -> SessionState:
    """The agent has the answer: it is due no longer, and a waiting session goes on."""
    return _goes_on(replace(state, answers=state.answers.delete(answer.id)), at)


def acknowledged(state: SessionState, answer: Answer, at: str, by: str = "prompt") -> Step:
    """The agent's own hook reported the answer's text, or the call that the answer allowed."""
    change = Delivered(answer.id, answer.attempt, "acknowledged", at, by)
    return received(state, answer, at), (change,)


def given_up(state: SessionState, answer: Answer, why: str, by: str, at: str) -> Step:
    """The answer can reach nobody any more."""
    state = replace(state, answers=state.answers.delete(answer.id))
    return state, (Delivered(answer.id, answer.attempt, "failed", at, by, why),)


def confirmed(state: SessionState, at: str) -> Step:
    """A hook of the agent came after the one that printed an answer: the agent has it."""
    changes: list[Change] = []
    for answer in list(state.answers.values()):
        if answer.by_hook and answer.status == "submitted":
            state, (change,) = acknowledged(state, answer, at)
            changes.append(change)
    return state, tuple(changes)


def landed(state: SessionState) -> SessionState:
    """A turn ended: what was submitted before is no longer on its way."""
    for answer in list(state.answers.values()):
        if answer.in_flight and answer.status == "submitted":
            answer = replace(answer, in_flight=False)
            state = replace(state, answers=state.answers.set(answer.id, answer))
    return state


def _rises(answer: Answer, given: shape.Delivery) -> bool:
    if given.status in DELIVERED:
        return True
    if given.attempt == answer.attempt:
        held_again = given.status == answer.status == "held"
        return held_again or _RANK[given.status] > _RANK[answer.status]
    # A new attempt needs the last one to be out of its deliverer's hands.
    return given.attempt == answer.attempt + 1 and answer.status not in IN_HAND


def _goes_on(state: SessionState, at: str) -> SessionState:
    if state.status != "prompting" or state.is_blocked():
        return state
    turn = replace(state.turn, reported=None)
    return replace(state, status="working", status_at=at, note=None, turn=turn)
