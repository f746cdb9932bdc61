"""`gemba-state STATE`: the agent says how it is."""

import sys

import click

from gemba_core import caller
from gemba_core.errors import GembaError
from gemba_core.frame.vocabulary import STATES
from gemba_core.log import record

_EPILOG = """\
Examples:

\b
  gemba-state working --bead gm-12
  gemba-state prompting --note "waiting for the operator"

\b
Exit codes: 0 recorded; 1 failed, nothing was written; 2 usage, or no session.
"""


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["--help", "-h"]})
@click.argument("state", type=click.Choice(STATES))
@click.option("--bead", metavar="ID", help="The work item that this is about.")
@click.option("--note", metavar="TEXT", help="A few words for the operator.")
@click.version_option(package_name="gemba-toolkit")
def main(state: str, bead: str | None, note: str | None) -> None:
    """Tell the operator's list of sessions how this session is."""
    try:
        record(
            caller.required_session_id(),
            "GembaState",
            {"state": state, "bead_id": bead, "note": note},
            agent_type=caller.agent_type(),
            sync=False,
        )
    except GembaError as error:
        click.echo(f"gemba-state: {error}", err=True)
        sys.exit(error.exit_code)
