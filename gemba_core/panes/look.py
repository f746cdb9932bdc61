"""What was seen of a pane before anything is typed into it."""

from dataclasses import dataclass
from typing import Literal

from gemba_core.panes.cells import left_of

Verdict = Literal["free", "held", "failed"]


@dataclass(frozen=True)
class Look:
    """A pane at one moment.

    verdict       free: may be typed into; held: not now; failed: never again
    why           the reason, for a person to read; empty when free
    cursor        column and row, from 0
    cursor_shown  terminal programs often hide it in dialogs
    size          columns and rows
    screen        the visible rows, without trailing spaces
    """

    verdict: Verdict
    why: str = ""
    cursor: tuple[int, int] = (0, 0)
    cursor_shown: bool = True
    size: tuple[int, int] = (0, 0)
    screen: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        """What stands left of the cursor on its row: in an empty input line, its prompt."""
        column, row = self.cursor
        return left_of(self.screen[row] if row < len(self.screen) else "", column)
