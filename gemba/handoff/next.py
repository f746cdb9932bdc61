"""`gemba handoff next`."""

import click

from gemba.handoff.answering import BY, print_next
from gemba.output import warn
from gemba_ask.waiting import leave_in_order, patience_for
from gemba_core import caller
from gemba_core.errors import UsageError
from gemba_core.handoff.answer import about_of
from gemba_core.waiting import waiting

_EPILOG = """\
Examples:

\b
  gemba handoff next 3f9c0a12be77d041
  gemba handoff next 3f9c0a12be77d041 --wait --timeout 10m --json

\b
Exit codes: 0 decided, and what to do is printed, also where that is nothing; 1 failed;
2 usage, no session, or this session has raised no such escalation; 4 not answered yet,
it stays open; 5 deferred: the operator put it aside; 6 canceled.
"""


@click.command("next", epilog=_EPILOG)
@click.argument("escalation", metavar="ID")
@click.option("--wait", is_flag=True, help="Wait until it is settled, or --timeout is over.")
@click.option("--timeout", metavar="TIME", help="How long: 90s, 10m, 2h; by default 110s.")
@click.option("--json", "as_json", is_flag=True, help="One object (docs/handoff.md).")
def next_(escalation: str, wait: bool, timeout: str | None, as_json: bool) -> None:
    """Say what to do now that the operator has answered."""
    if timeout is not None and not wait:
        raise UsageError("--timeout goes with --wait")
    agent_type = caller.agent_type()
    patience = patience_for(timeout, agent_type, lambda text: warn([text])) if wait else 0.0
    with waiting(caller.required_session_id(), escalation, by=BY) as one:
        about_of(one.id, one.journal.opened[one.id].detail)
        if not wait:
            print_next([one], patience, as_json=as_json)
        leave_in_order()
        with one.shown_as_prompting(agent_type):
            print_next([one], patience, as_json=as_json)
