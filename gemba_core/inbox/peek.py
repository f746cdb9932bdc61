"""A look into a session's pane: what a person would see there now."""

from msgspec import Struct

from gemba_core.errors import PaneError
from gemba_core.frame.line import now
from gemba_core.inbox.address import pane_of_session
from gemba_core.inbox.find import find_session
from gemba_core.index import Index
from gemba_core.panes import PaneAddress, last_lines, look


class Peek(Struct, frozen=True):
    """The pane's text, or None and why there is none; `at` is when we looked."""

    text: str | None
    at: str
    why: str | None


def peek(index: Index, session_id: str, lines: int | None = None) -> Peek:
    """Look into the pane of that session: what is visible, or so many last lines.

    Raises NotFound; whatever tmux does is in `why`.
    """
    try:
        address = pane_of(index, session_id)
    except PaneError as error:
        return Peek(None, now(), str(error))
    seen = look(address)
    if not seen.screen:
        return Peek(None, now(), seen.why or "the pane is empty")
    shown = last_lines(address, lines) if lines is not None else seen.screen
    return Peek("\n".join(shown).rstrip(), now(), seen.why or None)


def pane_of(index: Index, session_id: str) -> PaneAddress:
    """The pane of that session. Raises NotFound, and PaneError where none is known."""
    find_session(index, session_id)
    folded = index.folded(session_id)
    address = pane_of_session(folded[0]) if folded else None
    if address is None and folded and folded[0].is_ended:
        raise PaneError(f"{session_id}: the session has ended")
    if address is None:
        raise PaneError(f"{session_id}: no pane is known of this session")
    return address
