"""A frame that should have changed something, and may not: counted with its reason."""

from gemba_core.frame.record import Frame
from gemba_core.translator.change import Change, Dropped
from gemba_core.translator.state import SessionState


def dropped(
    state: SessionState, frame: Frame, reason: str
) -> tuple[SessionState, tuple[Change, ...]]:
    """The state as it was, and the count."""
    return state, (Dropped(frame.session_id, frame.hook, frame.event_id, reason),)
