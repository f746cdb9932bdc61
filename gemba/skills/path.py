"""`gemba skills path`."""

import click

from gemba.skills.find import complete_skills, here, named

_EPILOG = """\
Example: less "$(gemba skills path gemba-walk)"

Exit codes: 0 printed; 1 its file is broken; 4 no such skill.
"""


@click.command(epilog=_EPILOG)
@click.argument("name", shell_complete=complete_skills)
def path(name: str) -> None:
    """Print the path of a skill's file."""
    click.echo(named(here(), name).path)
