"""`gemba sessions pause|resume`."""

import click

from gemba.plane import adaptor_option, on_plane
from gemba.sessions.argument import session_argument
from gemba.sessions.done import json_option, nonce_option, print_session
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import ConfirmNonce

_CODES = """\

\b
Exit codes: 0 done, or it was so already; 1 failed; 4 no session of that id is
kept; 5 it has ended.
"""


@click.command(epilog="Example: gemba sessions pause claude-1f2e3d4c\n" + _CODES)
@session_argument
@nonce_option
@adaptor_option
@json_option
def pause(session: str, nonce: str | None, adaptor: str, as_json: bool) -> None:
    """Stop the processes of a session for a while."""
    given = ConfirmNonce(nonce) if nonce else new_nonce()
    print_session(on_plane(adaptor, lambda plane: plane.pause_session(session, given)), as_json)


@click.command(epilog="Example: gemba sessions resume claude-1f2e3d4c\n" + _CODES)
@session_argument
@nonce_option
@adaptor_option
@json_option
def resume(session: str, nonce: str | None, adaptor: str, as_json: bool) -> None:
    """Let a paused session go on."""
    given = ConfirmNonce(nonce) if nonce else new_nonce()
    print_session(on_plane(adaptor, lambda plane: plane.resume_session(session, given)), as_json)
