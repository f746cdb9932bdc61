"""`gemba work claim`."""

import click

from gemba.escalations.operator import as_operator
from gemba.output import print_json
from gemba.work.plane import asked, complete_ready, say
from gemba_core.inbox.actor import actor
from gemba_core.inbox.opened import use_index
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import ConfirmNonce

_EPILOG = """\
Example: gemba work claim w3

An agent claims it for its own session.

\b
Exit codes: 0 claimed; 1 failed; 2 usage; 4 no such item; 5 somebody else has
it, or it is done.
"""


@click.command(epilog=_EPILOG)
@click.argument("item", metavar="ID", shell_complete=complete_ready)
@as_operator
@click.option("--nonce", help="For programs: the same nonce twice is one claim.")
@click.option("--json", "as_json", is_flag=True, help="The item (docs/work.md).")
def claim(item: str, operator: str | None, nonce: str | None, as_json: bool) -> None:
    """Take a work item. Of several who try, one gets it."""
    who = use_index(lambda index: actor(index, operator)).name
    name = ConfirmNonce(nonce) if nonce else new_nonce()
    claimed = asked(lambda plane: plane.claim(item, who, name))
    if as_json:
        print_json(claimed)
    else:
        say(claimed)
