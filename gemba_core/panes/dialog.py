"""A client's own dialog about a command, found on the screen of its pane."""

from gemba_core.clients.client import Dialog
from gemba_core.panes.look import Look


def dialog_rows(dialog: Dialog, command: str, seen: Look) -> dict[int, str] | None:
    """The rows, by number from 0, by which the dialog about that very command is known.

    None in any doubt: the cursor is shown, a row is missing or is there twice,
    they are in another order, or the command is not alone and whole on its row,
    or holds what no terminal shows.
    """
    if not command.isprintable():
        return None
    wanted = (dialog.marker, dialog.command + command, dialog.option)
    shown = [row.strip().removeprefix(dialog.pointer) for row in seen.screen]
    if seen.cursor_shown or any(shown.count(text) != 1 for text in wanted):
        return None
    marker, asked, option = map(shown.index, wanted)
    if not marker < asked < option or any(shown[asked + 1 : option]):
        return None
    return {row: seen.screen[row] for row in (marker, asked, option)}
