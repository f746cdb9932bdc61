"""`gemba escalations list`."""

from typing import Any

import click

from gemba.escalations.filters import filtered, wanted
from gemba.output import print_json, warn
from gemba_core.inbox.opened import use_index

_EPILOG = """\
Examples:

\b
  gemba escalations list
  gemba escalations list --all --session api --since 2h --json
"""


@click.command("list", epilog=_EPILOG)
@filtered
@click.option("--json", "as_json", is_flag=True, help="An array of escalations (docs/cli.md).")
def list_(as_json: bool, **options: Any) -> None:
    """Open escalations: blocking first, then oldest first."""
    chosen = wanted(**options)

    def found(index: Any) -> tuple[Any, list[str]]:
        problems = list(index.problems)
        if chosen.session is not None and index.session(chosen.session) is None:
            problems.append(f"no session named {chosen.session!r}; see gemba sessions list")
        return index.escalations(chosen), problems

    escalations, problems = use_index(found)
    warn(problems)
    if as_json:
        print_json(escalations)
        return
    # Imported here: a program that asks for JSON does not wait for the table's library.
    from gemba.render import print_escalations

    print_escalations(escalations, chosen)
