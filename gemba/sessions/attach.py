"""`gemba sessions attach`."""

import os

import click

from gemba.sessions.argument import session_argument
from gemba_core import caller
from gemba_core.errors import GembaError
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.peek import pane_of

_EPILOG = """\
Example: gemba sessions attach claude-1f2e3d4c

Leave it with tmux's own key: the prefix (Ctrl-b), then d.

Exit codes: tmux's own, for it takes this command's place; 1 its pane is not
known or gone; 4 no such session.
"""


@click.command(epilog=_EPILOG)
@session_argument
def attach(session: str) -> None:
    """Show its pane in this terminal."""
    address = use_index(lambda index: pane_of(index, session))
    socket, pane = address.tmux_socket, address.target
    if caller.tmux_socket() == socket:
        # Inside that very server a client cannot be attached once more: it goes over to the pane.
        command = ["tmux", "switch-client", "-t", pane]
    else:
        command = ["tmux", "-S", socket, "attach-session", "-t", pane]
    variables = {name: value for name, value in caller.environment().items() if name != "TMUX"}
    try:
        os.execvpe(command[0], command, caller.environment() if command[1] != "-S" else variables)
    except OSError as error:
        raise GembaError(f"tmux can't be run: {error.strerror}; is it installed?") from error
