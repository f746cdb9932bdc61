"""`gemba work release`."""

import click

from gemba.output import print_json
from gemba.work.plane import asked, complete_started, say

_EPILOG = """\
Example: gemba work release w3

What nobody has stays as it is.

\b
Exit codes: 0 released; 1 failed; 2 usage; 4 no such item.
"""


@click.command(epilog=_EPILOG)
@click.argument("item", metavar="ID", shell_complete=complete_started)
@click.option("--json", "as_json", is_flag=True, help="The item (docs/work.md).")
def release(item: str, as_json: bool) -> None:
    """Make a work item ready again, whoever has it."""
    released = asked(lambda plane: plane.release(item))
    if as_json:
        print_json(released)
    else:
        say(released)
