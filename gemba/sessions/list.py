"""`gemba sessions list`."""

import click

from gemba.output import print_json
from gemba_core.frame.vocabulary import ENDED
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Filter, Index, Session


@click.command("list", epilog="Example: gemba sessions list --running")
@click.option("--running", is_flag=True, help="Only those that have not ended.")
@click.option("--json", "as_json", is_flag=True, help="An array of sessions (docs/cli.md).")
def list_(running: bool, as_json: bool) -> None:
    """All sessions: those that run first, then those that changed last."""

    def found(index: Index) -> tuple[list[Session], list[Escalation]]:
        return index.sessions(), index.escalations(Filter(urgency="blocking"))

    known, blocking = use_index(found)
    live = [item for item in known if item.status not in ENDED]
    listed = live if running else live + [item for item in known if item.status in ENDED]
    if as_json:
        print_json(listed)
        return
    if not listed:
        click.echo("No session runs." if known else "No session has reported yet.")
        return
    # Imported here: a program that asks for JSON does not wait for the table's library.
    from gemba.sessions.page import print_sessions

    # The oldest one is what the session waits on: later ones must not replace it.
    print_sessions(listed, {item.session_id: item.title for item in reversed(blocking)})
