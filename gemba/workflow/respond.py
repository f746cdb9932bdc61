"""`gemba workflow respond`: for the agent of a phase."""

import click

from gemba_core import caller
from gemba_core.errors import UsageError
from gemba_core.workflow.response import STATUSES, VARIABLE, Response
from gemba_core.workflow.response import respond as record_response

_EPILOG = """\
Examples:

\b
  gemba workflow respond success "Scout complete"
  gemba workflow respond failed "The repository cannot be read"

\b
Exit codes: 0 told; 1 it could not be written; 2 usage, or not inside a workflow's phase.
"""


@click.command(epilog=_EPILOG)
@click.argument("status", type=click.Choice(STATUSES))
@click.argument("message", default="")
def respond(status: str, message: str) -> None:
    """Say that a phase is done, or has failed.

    This is what respond_to_leader means to the agent of a phase. A failure is not taken
    back. Without any of it, the agent's exit code counts.
    """
    folder = caller.workflow_action()
    if folder is None:
        raise UsageError(f"{VARIABLE} is not set: this is for the agent of a workflow's phase")
    record_response(folder, Response("success" if status == "success" else "failed", message))
