"""A text on its way into an agent's input line: pasted, and submitted once it is seen there."""

import time
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from gemba_core.errors import PaneError
from gemba_core.frame.line import new_event_id
from gemba_core.panes.address import PaneAddress
from gemba_core.panes.composer import Composer, settling, typable
from gemba_core.panes.guard import guard
from gemba_core.panes.look import Look
from gemba_core.panes.tmux import PasteUncertain, paste, press_enter

_PATIENCE = 3.0
_POLL = 0.1

Submission: TypeAlias = Literal["submitted", "uncertain"]


class Entry(NamedTuple):
    """How far it came, and why no further."""

    status: Submission
    why: str | None = None


def enter(
    address: PaneAddress,
    text: str,
    composer: Composer,
    before: Look,
    *,
    pasted: Callable[[], object] = lambda: None,
    may_submit: Callable[[], bool] = lambda: True,
) -> Entry:
    """Paste the text into the pane that looked like `before`, and press Enter when tmux sees it.

    `pasted` is called when it has been pasted, `may_submit` before each try to
    press Enter. Raises PaneError: then nothing was typed.
    """
    given = typable(text, composer)
    try:
        paste(address, given, f"gemba-{new_event_id()}")
    except PasteUncertain as error:
        return Entry("uncertain", str(error))
    pasted()
    time.sleep(settling(given, composer))
    condition = guard(address, given, composer, before)
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            if may_submit() and press_enter(address, condition):
                return Entry("submitted")
        except PaneError as error:
            return Entry("uncertain", str(error))
        if time.monotonic() >= deadline:
            why = "the text was not seen in the agent's input line, so Enter was not pressed"
            return Entry("uncertain", why)
        time.sleep(_POLL)
