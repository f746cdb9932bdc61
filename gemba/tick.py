"""`gemba tick`."""

import click

from gemba.output import print_json
from gemba_core.inbox import tick as use_case
from gemba_core.inbox.opened import use_index


@click.command(epilog="Example: gemba tick   (from cron, where nothing of Gemba runs)")
@click.option("--json", "as_json", is_flag=True, help="The counts.")
def tick(as_json: bool) -> None:
    """Apply what time has made due: deadlines, lost deliveries."""
    done = use_index(use_case.tick)
    if as_json:
        print_json(done)
        return
    click.echo(
        f"{done.expired} expired, {done.defaulted} got their declared default, "
        f"{done.uncertain} deliveries became uncertain"
    )
