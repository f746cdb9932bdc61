"""What the commands share that change a session of the orchestration plane."""

import click

from gemba.output import print_json
from gemba.sessions.work import on_record
from gemba_core.errors import GembaError
from gemba_core.frame.text import shown_line
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.session import Session

nonce_option = click.option(
    "--nonce", metavar="TEXT", help="The same one twice is done once: for a program that retries."
)
json_option = click.option("--json", "as_json", is_flag=True, help="The session as it stands.")


def print_session(session: Session, as_json: bool, *remarks: str) -> None:
    """How the session stands after what was done."""
    if as_json:
        print_json(wire(session))
        return
    why = f" ({session.close_reason})" if session.close_reason else ""
    click.echo("; ".join((f"{shown_line(session.id, 200)}: {session.status}{why}", *remarks)))


def failure(session: Session) -> GembaError:
    """That it has failed, and with what last words."""
    kept = on_record(session.id)
    why = (kept.note if kept is not None else None) or session.close_reason
    return GembaError(f"{session.id}: the session has failed" + (f": {why}" if why else ""))
