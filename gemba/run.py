"""`gemba run`."""

import os
import sys

import click

from gemba.completion import complete_agents
from gemba.output import warn
from gemba_core import agents, caller, launch
from gemba_core.errors import GembaError
from gemba_core.frame.vocabulary import MODES
from gemba_core.launch import Launch

_EPILOG = """\
Examples:

\b
  gemba run --agent codex
  gemba run --agent claude --mode cautious --bead gm-12 --tmux
  gemba run --agent codex -- resume --last

\b
Exit codes: the agent's own, for it takes this command's place; with --tmux 0,
or 1 where nothing was started; 2 usage; 1 where agents.toml or the program is
at fault.
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--agent",
    "name",
    metavar="NAME",
    shell_complete=complete_agents,
    help="Of .gemba/agents.toml; else its only one.",
)
@click.option("--mode", type=click.Choice(MODES), help="Instead of the agent's own.")
@click.option("--bead", metavar="ID", help="The work item that this session is about.")
@click.option("--tmux", is_flag=True, help="In a new pane; print the session's id.")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def run(
    name: str | None, mode: str | None, bead: str | None, tmux: bool, args: tuple[str, ...]
) -> None:
    """Start an agent with a session of its own.

    ARGS go to it as they are, after `--`.
    """
    composed = launch.compose(agents.of_workspace(name), caller.environment(), args=args, mode=mode)
    warn(composed.remarks)
    launch.announce(composed, bead=bead)
    if tmux:
        _in_pane(composed)
    else:
        _here(composed)


def _here(composed: Launch) -> None:
    """Become the agent."""
    warn([f"session {composed.session_id} ({composed.mode})"])
    sys.stdout.flush()
    environment = composed.environment(caller.environment(), own_pane=True)
    try:
        os.execve(composed.argv[0], composed.argv, environment)
    except (OSError, ValueError) as error:
        raise GembaError(f"{composed.argv[0]}: not started: {error}") from error


def _in_pane(composed: Launch) -> None:
    # Imported here: only this option pays for it.
    from gemba_core.panes.opening import open_pane

    opened = open_pane(
        composed.argv,
        composed.variables,
        folder=os.getcwd(),
        name=composed.session_id,
        socket=caller.tmux_socket(),
    )
    click.echo(composed.session_id)
    click.echo(f"It runs in pane {opened.pane_id}.")
    if opened.attach is not None:
        click.echo(f"See it with: {opened.attach}")
