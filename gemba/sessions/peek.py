"""`gemba sessions peek`."""

import click

from gemba.output import print_json, warn
from gemba.sessions.argument import session_argument
from gemba_core.frame.text import shown
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.peek import peek

_EPILOG = """\
Examples:

\b
  gemba sessions peek tmux:%3
  gemba sessions peek claude-1f2e3d4c --lines 500

Exit codes: 0 printed; 1 its pane cannot be seen, and why; 4 no such session.
"""
# Lines, beyond which the panes that Gemba opens keep nothing.
_MOST = 20_000


@click.command("peek", epilog=_EPILOG)
@session_argument
@click.option(
    "--lines",
    metavar="N",
    type=click.IntRange(1, _MOST),
    help="So many of its last lines, also those that have scrolled away.",
)
@click.option("--json", "as_json", is_flag=True, help="The text, when, and why there is none.")
def peek_(session: str, lines: int | None, as_json: bool) -> None:
    """What stands in a session's pane now."""
    seen = use_index(lambda index: peek(index, session, lines))
    if as_json:
        print_json(seen)
    elif seen.text is not None:
        click.echo(shown(seen.text))
    if seen.text is None:
        warn([str(seen.why)])
        raise SystemExit(1)
