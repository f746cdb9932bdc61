"""`gemba stats`."""

from datetime import datetime, timedelta

import click

from gemba.output import print_json
from gemba_core.errors import UsageError
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.stats import collect
from gemba_core.settings import seconds

_EPILOG = """\
Example: gemba stats --since 30d

Exit codes: 0 shown; 1 failed; 2 usage.
"""
_LONGEST = 3650 * 86400.0


@click.command(epilog=_EPILOG)
@click.option("--since", default="14d", show_default=True, metavar="TIME", help="Asked since then.")
@click.option("--json", "as_json", is_flag=True, help="One object (docs/stats.md).")
def stats(since: str, as_json: bool) -> None:
    """What is open, how fast answers come, and where from."""
    given = seconds(since)
    if given is None or given > _LONGEST:
        raise UsageError(f"--since {since!r}: give a time such as 24h or 30d")
    now = datetime.now().astimezone()
    found = use_index(lambda index: collect(index, since=now - timedelta(seconds=given), now=now))
    if as_json:
        print_json(found)
        return
    # Imported here: a program that asks for JSON does not wait for the page's library.
    from gemba.stats_page import print_stats

    print_stats(found)
