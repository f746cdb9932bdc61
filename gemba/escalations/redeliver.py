"""`gemba escalations redeliver`."""

import click

from gemba.completion import complete_undelivered
from gemba.escalations.operator import as_operator
from gemba.escalations.outcome import describe
from gemba.output import print_json
from gemba_core.inbox import deliver
from gemba_core.inbox.actor import actor
from gemba_core.inbox.deliver import Report
from gemba_core.inbox.opened import use_index
from gemba_core.index import Index

_EPILOG = """\
Examples:

\b
  gemba escalations redeliver 3f9c             (the agent did not get it)
  gemba escalations redeliver 3f9c --leave     (it did, or needs it no more)

\b
Exit codes: 0 done; 1 nothing to decide, or it failed; 2 usage; 4 no such
escalation, or an ambiguous prefix.
"""


@click.command(epilog=_EPILOG)
@click.argument("escalation", metavar="ID", shell_complete=complete_undelivered)
@click.option("--leave", is_flag=True, help="Do not: it has arrived, or is not needed.")
@as_operator
@click.option("--json", "as_json", is_flag=True, help="What became of it.")
def redeliver(escalation: str, leave: bool, operator: str | None, as_json: bool) -> None:
    """Deliver an answer once more.

    For when you have seen that the agent did not get it.
    Gemba never repeats an uncertain delivery by itself, and types nothing else
    into that pane before you have decided.
    """

    def run(index: Index) -> Report:
        return deliver.redeliver(index, escalation, actor=actor(index, operator), leave=leave)

    report = use_index(run)
    if as_json:
        print_json({"status": report.status, "detail": report.detail})
    elif leave:
        click.echo("left as it is: nothing more is typed, and the answer is kept on the record")
    else:
        click.echo(describe(report, escalation))
