"""`gemba skills show`."""

import click

from gemba.output import print_json
from gemba.skills.find import complete_skills, here, named
from gemba.skills.listed import Listed

_EPILOG = """\
Examples:

\b
  gemba skills show gemba-walk
  gemba skills show github:gh-fix-ci --json

\b
Exit codes: 0 shown; 1 its file is broken; 4 no such skill.
"""


@click.command(epilog=_EPILOG)
@click.argument("name", shell_complete=complete_skills)
@click.option("--json", "as_json", is_flag=True, help="One skill, with its body (docs/cli.md).")
def show(name: str, as_json: bool) -> None:
    """One skill: what it says of itself, where it lies, and its body. An alias will do."""
    registry = here()
    skill = named(registry, name)
    item = Listed(skill, registry.is_enabled(skill.id))
    body = registry.body(skill)
    if as_json:
        print_json({**item.plain(), "body": body})
        return
    # Imported here: a program that asks for JSON does not wait for the page's library.
    from gemba.skills.page import print_skill

    print_skill(item, body, alias=name)
