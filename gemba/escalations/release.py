"""`gemba escalations release`."""

import click

from gemba.completion import complete_ids
from gemba.escalations.operator import as_operator
from gemba.output import print_json
from gemba_core.inbox import claims
from gemba_core.inbox.actor import actor
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Index

_EPILOG = """\
Example: gemba escalations release 3f9c

\b
Exit codes: 0 nobody looks after it; 1 failed; 2 usage; 4 no such escalation, or an
ambiguous prefix; 5 settled already.
"""


@click.command(epilog=_EPILOG)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_ids)
@as_operator
@click.option("--json", "as_json", is_flag=True, help="What was released.")
def release(ids: tuple[str, ...], operator: str | None, as_json: bool) -> None:
    """End the claims of these, yours or another's; all or none."""

    def run(index: Index) -> list[Escalation]:
        return claims.release(index, list(ids), actor=actor(index, operator))

    found = [one.id for one in use_index(run)]
    if as_json:
        print_json([{"id": one, "state": "released"} for one in found])
    else:
        click.echo(f"released: {' '.join(found)}")
