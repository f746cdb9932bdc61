"""`gemba sessions send`."""

import sys

import click

from gemba.sessions.argument import session_argument
from gemba_core.errors import UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.inbox.actor import actor
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.send import send
from gemba_core.index import Index
from gemba_core.settings import seconds

_EPILOG = """\
Examples:

\b
  gemba sessions send claude-1f2e3d4c "Run the tests again."
  gemba sessions send claude-1f2e3d4c --wait 10m - < instructions.txt

It settles no question: answer those with `gemba escalations respond`.

\b
Exit codes: 0 typed and submitted; 1 not, and why: the agent is at work (see --wait),
a dialog is up, its pane is gone; or it is uncertain; 2 usage; 4 no such session.
"""
_LONGEST = 86400.0


@click.command("send", epilog=_EPILOG)
@session_argument
@click.argument("text")
@click.option("--wait", "time", metavar="TIME", help="How long until the agent is idle: 90s, 10m.")
def send_(session: str, text: str, time: str | None) -> None:
    """Type a prompt into the pane of an idle agent (`-`: stdin)."""
    patience = seconds(time) if time is not None else 0.0
    if patience is None or patience > _LONGEST:
        raise UsageError(f"--wait {time!r}: give a time up to 24h, such as 90s or 10m")
    said = sys.stdin.buffer.read(MAX_INPUT + 1).decode("utf-8", "replace") if text == "-" else text
    waits = patience

    def run(index: Index) -> None:
        send(index, session, said, actor=actor(index), patience=waits)

    use_index(run)
    click.echo(f"{session}: submitted")
