"""`gemba work done`."""

import click

from gemba.output import print_json
from gemba.work.plane import asked, complete_items, say
from gemba_core import caller
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.work.report import is_given, say_done

_EPILOG = """\
Example: gemba work done w3 --reason "merged as 4f1c"

A dispatched agent whose sandbox hides the work items says it in its session's log; whoever
dispatched it passes that on when the session ends.

\b
Exit codes: 0 done, now or before, or said in the log; 1 failed; 2 usage; 4 no such item.
"""


@click.command(epilog=_EPILOG)
@click.argument("item", metavar="ID", shell_complete=complete_items)
@click.option("--reason", default="", metavar="TEXT", help="What became of it, for the record.")
@click.option("--json", "as_json", is_flag=True, help="The item (docs/work.md).")
def done(item: str, reason: str, as_json: bool) -> None:
    """Say that a work item is done."""
    try:
        ended = asked(lambda plane: plane.complete(item, reason=reason))
    except AdaptorError:
        session_id = caller.session_id() if caller.session_id_is_given() else None
        if session_id is None or not is_given(session_id, item):
            raise
        say_done(session_id, item, reason)
        if as_json:
            print_json({"id": item, "status": "said"})
        else:
            click.echo(f"{item}: said in this session's log, and passed on when the session ends")
        return
    if as_json:
        print_json(ended)
    else:
        say(ended)
