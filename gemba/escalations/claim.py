"""`gemba escalations claim`."""

import click

from gemba.completion import complete_ids
from gemba.escalations.operator import as_operator
from gemba.output import print_json
from gemba_core.errors import UsageError
from gemba_core.inbox import claims
from gemba_core.inbox.actor import actor
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Index
from gemba_core.settings import seconds

_EPILOG = """\
Example: gemba escalations claim 3f9c --for 1h

It binds nobody: whoever answers first has answered. Reminders pause meanwhile.

\b
Exit codes: 0 claimed; 1 failed; 2 usage; 4 no such escalation, or an ambiguous
prefix; 5 settled already, or somebody else looks after it.
"""
LONGEST = 7 * 86400.0


@click.command(epilog=_EPILOG)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_ids)
@click.option("--for", "time", default="30m", show_default=True, metavar="TIME", help="How long.")
@as_operator
@click.option("--json", "as_json", is_flag=True, help="What was claimed, and until when.")
def claim(ids: tuple[str, ...], time: str, operator: str | None, as_json: bool) -> None:
    """Tell the others that you look after these; all or none."""
    given = seconds(time)
    if given is None or given > LONGEST:
        raise UsageError(f"--for {time!r}: give a time up to 7d, such as 30m or 2h")

    def run(index: Index) -> tuple[list[Escalation], str, str]:
        who = actor(index, operator)
        return *claims.claim(index, list(ids), seconds=given, actor=who), who.name

    found, until, who = use_index(run)
    if as_json:
        print_json([{"id": one.id, "claimed_by": who, "claimed_until": until} for one in found])
    else:
        click.echo(f"claimed by {who} until {until}: {' '.join(one.id for one in found)}")
