"""`gemba workflow new`."""

import os

import click

from gemba_core.skills.folders import own_folder
from gemba_core.workflow.template import write_new

_EPILOG = """\
Example: gemba workflow new release-notes

\b
Exit codes: 0 written, and its folder is printed; 1 there is such a skill already,
or it cannot be written; 2 usage, or NAME is no name for a skill.
"""


@click.command(epilog=_EPILOG)
@click.argument("name")
def new(name: str) -> None:
    """Write a script-driven skill to fill out.

    It goes into the nearest .gemba/skills, and works as it stands.
    """
    click.echo(write_new(own_folder(os.getcwd()), name))
