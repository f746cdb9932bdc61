"""`gemba deliver`."""

import click

from gemba.escalations.outcome import describe
from gemba.output import print_json
from gemba_core.inbox.deliver import deliver_all
from gemba_core.inbox.opened import use_index


@click.command(epilog="Example: gemba deliver")
@click.option("--json", "as_json", is_flag=True, help="An array: session, escalations, status.")
def deliver(as_json: bool) -> None:
    """Try every answer that is queued or held once more."""
    tried = use_index(deliver_all)
    if as_json:
        print_json(
            [
                {
                    "session_id": due.session_id,
                    "escalation_ids": due.escalation_ids,
                    "status": report.status,
                    "detail": report.detail,
                }
                for due, report in tried
            ]
        )
        return
    if not tried:
        click.echo("Nothing is waiting to be delivered.")
    for due, report in tried:
        click.echo(f"{' '.join(due.escalation_ids)}: {describe(report, due.escalation_ids[0])}")
