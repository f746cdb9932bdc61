"""`gemba init`."""

import os

import click

from gemba.output import print_json
from gemba_core import agents
from gemba_core.install import workspace

_EPILOG = """\
Examples:

\b
  gemba init                 (in the folder that your agents work in)
  gemba init --skills gemba-walk,test-strategy
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--skills",
    metavar="all|NAME,…",
    default="",
    help="Copy bundled skills into .gemba/skills, to be changed there.",
)
@click.option("--json", "as_json", is_flag=True, help="An array: path, is_new.")
def init(skills: str, as_json: bool) -> None:
    """Make this folder's .gemba/; what is there is kept.

    It holds the agents, the interaction profile and skills.

    Exit codes: 0 done, whether or not anything was missing; 1 a file cannot be written, or the
    agents.toml that is there has problems (all are told); 2 usage, or no such bundled skill.
    """
    offered = workspace.offered()
    names = [name.strip() for name in skills.split(",") if name.strip()]
    made = workspace.init(os.getcwd(), offered if names == ["all"] else names)
    if as_json:
        print_json(made)
    else:
        for file in made:
            click.echo(f"{'made' if file.is_new else 'kept'}  {os.path.relpath(file.path)}")
    # Told behind what was made: it is all there, and one that was kept may hold anything.
    agents.load(os.path.join(os.getcwd(), ".gemba", "agents.toml"))
    if not as_json:
        _say_next([] if names else offered)


def _say_next(offered: list[str]) -> None:
    """What the person may do now; `offered` are skills that were not asked for."""
    if offered:
        click.echo(f"Bundled skills, for any agent here: {', '.join(offered)}")
        click.echo("To have copies that you can change: gemba init --skills all, or NAME,NAME")
    click.echo(
        "Next: look over your agents in .gemba/agents.toml, then gemba install-bridge --agent AGENT"
    )
