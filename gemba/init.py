"""`gemba init`."""

import os

import click

from gemba.output import print_json
from gemba_core.install import workspace


@click.command(epilog="Example: gemba init   (in the folder that your agents work in)")
@click.option("--json", "as_json", is_flag=True, help="An array: path, is_new.")
def init(as_json: bool) -> None:
    """Make this folder's .gemba/: agents, interaction profile, skills. Keep what is there.

    Exit codes: 0 done, whether or not anything was missing; 1 a file cannot be written.
    """
    made = workspace.init(os.getcwd())
    if as_json:
        print_json(made)
        return
    for file in made:
        click.echo(f"{'made' if file.is_new else 'kept'}  {os.path.relpath(file.path)}")
    click.echo(
        "Next: declare your agents in .gemba/agents.toml, then gemba install-bridge --agent AGENT"
    )
