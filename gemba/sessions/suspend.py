"""`gemba sessions pause|resume`."""

import click

from gemba.plane import adaptor_option, on_plane
from gemba.sessions.argument import session_argument
from gemba.sessions.done import json_option, nonce_option, print_session
from gemba.sessions.work import on_record
from gemba_core.inbox.opened import use_index
from gemba_core.index import Filter
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import ConfirmNonce, SessionStatus

# Of an escalation's id, as the inbox shows it.
_SHORT = 8
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
    was_paused = _is_paused(session)
    paused = on_plane(adaptor, lambda plane: plane.pause_session(session, given))
    print_session(paused, as_json, *(["already paused"] if was_paused else []))


@click.command(epilog="Example: gemba sessions resume claude-1f2e3d4c\n" + _CODES)
@session_argument
@nonce_option
@adaptor_option
@json_option
def resume(session: str, nonce: str | None, adaptor: str, as_json: bool) -> None:
    """Let a paused session go on."""
    given = ConfirmNonce(nonce) if nonce else new_nonce()
    was_running = _is_paused(session) is False
    resumed = on_plane(adaptor, lambda plane: plane.resume_session(session, given))
    remarks = ["it was not paused"] if was_running else []
    if resumed.status is SessionStatus.SUSPENDED:
        remarks += _waits(session)
    print_session(resumed, as_json, *remarks)


def _is_paused(session_id: str) -> bool | None:
    """None where its adaptor writes no log."""
    session = on_record(session_id)
    return None if session is None else session.status == SessionStatus.SUSPENDED


def _waits(session_id: str) -> list[str]:
    """What it waits for a person with, though it may go on: the oldest question that blocks it."""
    blocking = Filter(session=session_id, urgency="blocking", limit=1)
    return [
        f"it waits for you ({one.id[:_SHORT]})"
        for one in use_index(lambda index: index.escalations(blocking))
    ]
