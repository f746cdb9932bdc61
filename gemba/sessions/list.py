"""`gemba sessions list`."""

import click

from gemba.output import print_json
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Filter, Index, Session


@click.command("list", epilog="Example: gemba sessions list")
@click.option("--json", "as_json", is_flag=True, help="An array of sessions (docs/cli.md).")
def list_(as_json: bool) -> None:
    """All sessions, those that changed last first."""

    def found(index: Index) -> tuple[list[Session], list[Escalation]]:
        return index.sessions(), index.escalations(Filter(urgency="blocking"))

    listed, blocking = use_index(found)
    if as_json:
        print_json(listed)
        return
    # Imported here: a program that asks for JSON does not wait for the table's library.
    from gemba.render import print_sessions

    # The oldest one is what the session waits on: later ones must not replace it.
    print_sessions(listed, {item.session_id: item.title for item in reversed(blocking)})
