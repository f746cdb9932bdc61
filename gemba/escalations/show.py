"""`gemba escalations show`."""

import click

from gemba.completion import complete_ids
from gemba.output import print_json
from gemba_core.inbox.find import find
from gemba_core.inbox.opened import use_index


@click.command(epilog="Example: gemba escalations show 3f9c")
@click.argument("escalation", metavar="ID", shell_complete=complete_ids)
@click.option("--json", "as_json", is_flag=True, help="One escalation (docs/cli.md).")
def show(escalation: str, as_json: bool) -> None:
    """One escalation with all that is known of it. The beginning of an id is enough."""
    item = use_index(lambda index: find(index, escalation))
    if as_json:
        print_json(item)
        return
    # Imported here: a program that asks for JSON does not wait for the page's library.
    from gemba.render import print_escalation

    print_escalation(item)
