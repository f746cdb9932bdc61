"""`gemba sessions show`."""

import click

from gemba.output import print_json
from gemba.sessions.argument import session_argument
from gemba_core.inbox.find import find_session
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Filter, Index, Session


@click.command(epilog="Example: gemba sessions show tmux:%3")
@session_argument
@click.option("--json", "as_json", is_flag=True, help="One session (docs/cli.md).")
def show(session: str, as_json: bool) -> None:
    """One session, and what it has open."""

    def found(index: Index) -> tuple[Session, list[Escalation]]:
        return find_session(index, session), index.escalations(Filter(session=session))

    item, open_ones = use_index(found)
    if as_json:
        print_json(item)
        return
    # Imported here: a program that asks for JSON does not wait for the page's library.
    from gemba.sessions.page import print_session

    print_session(item, open_ones)
