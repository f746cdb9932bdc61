"""The session that a command is about."""

import click

from gemba.completion import complete_sessions
from gemba_core.inbox.find import whole_session_id
from gemba_core.inbox.opened import use_index


def _whole(_: click.Context, __: click.Parameter, given: str) -> str:
    return use_index(lambda index: whole_session_id(index, given))


session_argument = click.argument(
    "session", metavar="ID", shell_complete=complete_sessions, callback=_whole
)
