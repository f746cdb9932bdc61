"""Which pane an answer may be typed into.

What an agent says of itself, its return address among it, stands in a log that
the agent can write to. A session that the orchestration plane keeps has a pane
of its own, known by its name: it is typed to there, and nowhere else.
"""

import os

import msgspec

from gemba_core import home
from gemba_core.errors import PaneError
from gemba_core.frame.payload import ReplyTo
from gemba_core.index import Due
from gemba_core.panes import PaneAddress, as_kept
from gemba_core.translator import SessionState


def pane_of_answer(due: Due) -> PaneAddress | None:
    """The pane of whoever asked; None where there is none to type into."""
    return _pane(due.session_id, due.reply_to, due.pane, is_kept=due.is_kept)


def pane_of_session(state: SessionState) -> PaneAddress | None:
    """The pane of the session's agent; None where there is none."""
    plane = state.plane
    opened = plane.pane if plane else None
    return _pane(state.session_id, state.reply_to, opened, is_kept=plane is not None)


def _pane(
    session_id: str, reply_to: str | None, opened: str | None, *, is_kept: bool
) -> PaneAddress | None:
    # In a sandbox an agent can take out of its log that it is kept.
    if not is_kept and not os.path.exists(home.scoped_path(session_id)):
        return _address(reply_to)
    address = _address(opened)
    return as_kept(address, session_id) if address else None


def _address(told: str | None) -> PaneAddress | None:
    """The pane that is meant by a recorded return address."""
    if told is None:
        return None
    given = msgspec.json.decode(told, type=ReplyTo)
    try:
        return PaneAddress(given.tmux_socket, given.tmux_server_pid, given.tmux_pane, given.agent)
    except PaneError:
        return None
