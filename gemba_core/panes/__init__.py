"""A terminal pane as a place to deliver to.

`address` says which pane is meant, `kept` which are our own, `composer` what its
client does with what is typed, `dialog` what a dialog shows, `guard` when a key
may be pressed, `tmux` does it, and `entry` brings a text in and submits it.
"""

from gemba_core.panes.address import PaneAddress
from gemba_core.panes.composer import (
    Composer,
    begun,
    composer_of,
    refusal,
    settling,
    typable,
    unready,
)
from gemba_core.panes.dialog import dialog_rows
from gemba_core.panes.entry import Entry, enter
from gemba_core.panes.guard import guard, standing
from gemba_core.panes.kept import as_kept, kept_socket, name_of
from gemba_core.panes.look import Look, Verdict
from gemba_core.panes.tmux import (
    PasteUncertain,
    forget_buffers,
    last_lines,
    look,
    paste,
    press,
    press_enter,
)

__all__ = [
    "Composer",
    "Entry",
    "Look",
    "PaneAddress",
    "PasteUncertain",
    "Verdict",
    "as_kept",
    "begun",
    "composer_of",
    "dialog_rows",
    "enter",
    "forget_buffers",
    "guard",
    "kept_socket",
    "last_lines",
    "look",
    "name_of",
    "paste",
    "press",
    "press_enter",
    "refusal",
    "settling",
    "standing",
    "typable",
    "unready",
]
