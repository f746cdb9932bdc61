"""`gemba handoff decide`."""

import click

from gemba.handoff.options import Given, of_a_round
from gemba.handoff.page import page
from gemba.handoff.plain import plain_decision
from gemba.output import print_json, write
from gemba_core.handoff.question import questions

_EPILOG = """\
Examples:

\b
  gemba handoff decide answer.md --history .handoffs.json
  gemba handoff decide one.md two.md --in-flight 2 --json

Call it once for each round: --history counts how often an agent was sent back, and the
third time in a row a person is asked. Asking is what `gemba handoff raise` does.

\b
Exit codes: 0 decided, whatever it is; 1 a file cannot be read or written; 2 usage.
"""
_ASKING = "`gemba handoff raise` with the same files and options asks the operator.\n"


@click.command("decide", epilog=_EPILOG)
@of_a_round
@click.option("--json", "as_json", is_flag=True, help="One object (docs/handoff.md).")
def decide_(given: Given, as_json: bool) -> None:
    """Say what to do next about what agents returned."""
    with given.decided() as decided:
        decided.keep()
    decision = decided.decision
    if as_json:
        print_json(plain_decision(decision))
        return
    asking = f"\n{_ASKING}" if questions(decision) else ""
    write(f"{page(decision)}{asking}".encode("utf-8", "replace"))
