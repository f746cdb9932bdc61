"""`gemba sessions peek`."""

import click

from gemba.output import print_json, warn
from gemba.sessions.argument import session_argument
from gemba_core.frame.text import shown
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.peek import peek

_EPILOG = """\
Example: gemba sessions peek tmux:%3

Exit codes: 0 printed; 1 its pane cannot be seen, and why; 4 no such session.
"""


@click.command("peek", epilog=_EPILOG)
@session_argument
@click.option("--json", "as_json", is_flag=True, help="The text, when, and why there is none.")
def peek_(session: str, as_json: bool) -> None:
    """What stands in a session's pane now."""
    seen = use_index(lambda index: peek(index, session))
    if as_json:
        print_json(seen)
    elif seen.text is not None:
        click.echo(shown(seen.text))
    if seen.text is None:
        warn([str(seen.why)])
        raise SystemExit(1)
