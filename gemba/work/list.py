"""`gemba work list`."""

import click

from gemba.output import print_json
from gemba.work.filters import filtering
from gemba.work.plane import asked
from gemba_core.errors import UsageError
from gemba_core.orchestration.assignment import ReadyFilter

_EPILOG = """\
Examples:

\b
  gemba work list
  gemba work list --ready --label payments
  gemba work list --all --json

\b
Exit codes: 0 listed; 1 failed; 2 usage.
"""


@click.command("list", epilog=_EPILOG)
@click.option("--ready", is_flag=True, help="Only what can be claimed.")
@click.option("--all", "every", is_flag=True, help="What is done too.")
@filtering
@click.option("--json", "as_json", is_flag=True, help="An array of items (docs/work.md).")
def list_(ready: bool, every: bool, filter: ReadyFilter, as_json: bool) -> None:
    """What is not done: the most urgent first, then the oldest."""
    if ready and every:
        raise UsageError("--ready and --all; give one of them")
    if ready:
        found = asked(lambda plane: plane.list_ready(filter))
    else:
        items = asked(lambda plane: plane.list_items(done=every))
        found = tuple(item for item in items if filter.admits(item))
    if as_json:
        print_json(found)
        return
    # Imported here: a program that asks for JSON does not wait for the table's library.
    from gemba.work.page import print_items

    print_items(found)
