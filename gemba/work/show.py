"""`gemba work show`."""

import click

from gemba.output import print_json
from gemba.sessions.work import on_record
from gemba.work.plane import asked, complete_items

_EPILOG = """\
Example: gemba work show w3

\b
Exit codes: 0 shown; 1 failed; 2 usage; 4 no such item.
"""


@click.command(epilog=_EPILOG)
@click.argument("item", metavar="ID", shell_complete=complete_items)
@click.option("--json", "as_json", is_flag=True, help="The item (docs/work.md).")
def show(item: str, as_json: bool) -> None:
    """One work item with all that is known of it."""
    found = asked(lambda plane: plane.read(item))
    if as_json:
        print_json(found)
        return
    # Imported here: a program that asks for JSON does not wait for the page's library.
    from gemba.work.page import print_item

    # A dispatched item is claimed under the id of its assignment, which is the session's.
    print_item(found, on_record(found.claim) if found.claim else None)
