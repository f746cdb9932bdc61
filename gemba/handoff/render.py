"""`gemba handoff render`."""

import click

from gemba.handoff.context import in_context
from gemba.handoff.message import message_in, returned_in
from gemba.output import write
from gemba_core.handoff.render import render
from gemba_core.handoff.validate import Context, validate

_EPILOG = """\
Examples:

\b
  gemba handoff render answer.md
  gemba handoff render < answer.md | less

Exit codes: 0, also where there is no contract: that is said; 1 the file cannot be read; 2 usage.
"""


@click.command("render", epilog=_EPILOG)
@click.argument("file", required=False, metavar="[FILE|-]")
@in_context
def render_(file: str | None, context: Context) -> None:
    """Show what an agent has returned, for reading: summary first."""
    returned = returned_in(message_in(file))
    write(render(returned, validate(returned, context)).encode("utf-8", "replace"))
