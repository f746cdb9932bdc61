"""`gemba skills new`."""

import os

import click

from gemba.output import warn
from gemba.skills.find import here
from gemba_core.frame.vocabulary import ROLES
from gemba_core.skills.folders import own_folder
from gemba_core.skills.template import write_new

_EPILOG = """\
Example: gemba skills new release-notes --variety manager

\b
Exit codes: 0 written, and its path is printed; 1 there is such a file already,
or it cannot be written; 2 usage, or NAME is no name for a skill.
"""


@click.command(epilog=_EPILOG)
@click.argument("name")
@click.option(
    "--variety",
    type=click.Choice(ROLES),
    required=True,
    help="A coach only asks questions; a manager may also raise blockers.",
)
def new(name: str, variety: str) -> None:
    """Write a skill to fill out, into the nearest .gemba/skills."""
    before = here().get(name)
    path = write_new(own_folder(os.getcwd()), name, variety)
    click.echo(path)
    if before is not None:
        warn([f"{name} names {before.path} too; gemba skills list --all says which one counts"])
