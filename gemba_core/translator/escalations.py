"""Opening, folding, closing and reopening escalations: the parts that every room uses."""

from collections.abc import Iterable

from msgspec.structs import replace

from gemba_core.frame.vocabulary import IN_FLIGHT
from gemba_core.translator.change import Change, Closed, Delivered, Opened
from gemba_core.translator.state import Escalation, SessionState

Step = tuple[SessionState, tuple[Change, ...]]


def unusable_id(state: SessionState, event_id: str) -> str | None:
    """Why that event id cannot name a new escalation; None if it can."""
    if len(event_id) != 16 or event_id.strip(_HEX):
        return "bad_event_id"
    if event_id in state.aliases or event_id in state.open or event_id in state.closed:
        return "seen_before"
    return None


_HEX = "0123456789abcdef"


def opened(state: SessionState, item: Escalation, change: Opened) -> Step:
    """The escalation is open."""
    return (
        replace(
            state,
            count=item.number,
            open=state.open.set(item.id, item),
            dialogs=state.dialogs + (item.channel == "notification"),
        ),
        (change,),
    )


def settled(
    state: SessionState, item: Escalation, how: str, resolution: str | None
) -> SessionState:
    """The state after that open escalation was closed as `how`."""
    closed = replace(
        item,
        state=how,
        resolution_id=resolution,
        claimed_by=None,
        claimed_until=None,
        earlier=(*item.earlier, item.resolution_id) if item.resolution_id else item.earlier,
    )
    return replace(
        state,
        open=state.open.delete(item.id),
        closed=state.closed.set(item.id, closed),
        dialogs=state.dialogs - (item.channel == "notification"),
    )


def canceled(
    state: SessionState, items: Iterable[Escalation], reason: str, by: str, at: str
) -> Step:
    """Close these open escalations without a decision; `expired` is a state of its own."""
    how = "expired" if reason == "expired" else "canceled"
    changes: list[Change] = []
    for item in items:
        state = settled(state, item, how, None)
        changes.append(Closed(item.id, how, reason, by, at))
    return state, tuple(changes)


def voided(state: SessionState, why: str, at: str) -> Step:
    """Give up the answers that are in nobody's hands: their reader is gone."""
    changes: list[Change] = []
    for answer in list(state.answers.values()):
        if answer.status not in IN_FLIGHT:
            state = replace(state, answers=state.answers.delete(answer.id))
            changes.append(Delivered(answer.id, answer.attempt, "failed", at, "translator", why))
    return state, tuple(changes)
