"""`gemba sessions end`."""

import click

from gemba.plane import adaptor_option, on_plane
from gemba.sessions.argument import session_argument
from gemba.sessions.done import json_option, nonce_option, print_session
from gemba.sessions.work import say_where
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import ConfirmNonce, SessionEndMode

_EPILOG = """\
Examples:

\b
  gemba sessions end claude-1f2e3d4c
  gemba sessions end claude-1f2e3d4c --mode completed

Work that is not committed is kept on its branch. When this returns, nothing of the
session is left: no process, no pane, no worktree.

\b
Exit codes: 0 ended, or it had ended already; 1 failed; 4 no session of that id is
kept.
"""


@click.command(epilog=_EPILOG)
@session_argument
@click.option(
    "--mode",
    type=click.Choice([str(mode) for mode in SessionEndMode]),
    default="canceled",
    show_default=True,
    help="What you make of its work.",
)
@nonce_option
@adaptor_option
@json_option
def end(session: str, mode: str, nonce: str | None, adaptor: str, as_json: bool) -> None:
    """Stop a session's agent and release all that belongs to it."""
    given = ConfirmNonce(nonce) if nonce else new_nonce()
    how = SessionEndMode(mode)
    ended = on_plane(adaptor, lambda plane: plane.end_session(session, how, given))
    print_session(ended, as_json)
    say_where(session)
