"""Running `translate` over a batch of one log's frames."""

from collections.abc import Callable, Iterable, MutableMapping

from gemba_core.frame.record import Frame
from gemba_core.home import safe_id
from gemba_core.translator.change import Change, Dropped
from gemba_core.translator.state import SessionState
from gemba_core.translator.translate import TOOL_HOOKS, translate


def fold(
    name: str,
    states: MutableMapping[str, SessionState],
    frames: Iterable[Frame],
    apply: Callable[[SessionState, tuple[Change, ...]], None],
) -> None:
    """Fold the frames of the log `name` (a safe id) into `states`, by session id.

    A log is a closed world: a frame of a session that another file belongs to
    changes nothing and is counted. `apply` gets each step's changes, in order.
    """
    for frame in frames:
        state = states.get(frame.session_id)
        if state is None:
            if safe_id(frame.session_id) != name:
                stray = Dropped(frame.session_id, frame.hook, frame.event_id, "wrong_log")
                apply(SessionState(frame.session_id), (stray,))
                continue
            state = SessionState(frame.session_id)
        elif frame.hook in TOOL_HOOKS and state.is_calm:
            continue
        states[frame.session_id], changes = translate(state, frame)
        if changes:
            apply(states[frame.session_id], changes)
