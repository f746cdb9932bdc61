"""`gemba skills list`."""

import click

from gemba.output import print_json, warn
from gemba.skills.find import here
from gemba.skills.listed import listed
from gemba_core.skills.folders import BUNDLED

_EPILOG = """\
Examples:

\b
  gemba skills list
  gemba skills list --all --json

\b
Exit codes: 0, also where a skill's file is broken: it is listed with what is wrong.
"""


@click.command("list", epilog=_EPILOG)
@click.option("--all", "every", is_flag=True, help="Hidden, removed and shadowed ones too.")
@click.option("--json", "as_json", is_flag=True, help="An array of skills (docs/cli.md).")
def list_(every: bool, as_json: bool) -> None:
    """The skills of this folder, of your home, and the bundled ones."""
    registry = here()
    found = listed(registry, every=every)
    if as_json:
        print_json([one.plain() for one in found])
        return
    # Imported here: a program that asks for JSON does not wait for the table's library.
    from gemba.skills.page import print_skills

    print_skills(found)
    # A copy in the place of a bundled one is what copies are for.
    shadowed = [one for one in registry.shadowed if one.skill.source != BUNDLED]
    if shadowed and not every:
        warn([f"{len(shadowed)} more of the same names: see gemba skills list --all"])
