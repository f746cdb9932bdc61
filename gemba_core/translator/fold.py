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
    changes nothing and is counted. `apply` gets each step's changes, in order,
    and is called with a session's first frame in any case.
    """
    # The session whose tool hooks change nothing now: most frames of most logs are its.
    calm: str | None = None
    for frame in frames:
        session_id = frame.session_id
        if session_id == calm and frame.hook in TOOL_HOOKS:
            continue
        known = states.get(session_id)
        state = known or SessionState(session_id)
        if known is None and safe_id(session_id) != name:
            stray = Dropped(session_id, frame.hook, frame.event_id, "wrong_log")
            apply(state, (stray,))
            continue
        state, changes = translate(state, frame)
        states[session_id] = state
        calm = session_id if state.is_calm else None
        if changes or known is None:
            apply(state, changes)
