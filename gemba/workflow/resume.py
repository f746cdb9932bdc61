"""`gemba workflow resume`."""

import os
from typing import Any

import click

from gemba.workflow.terms import EXIT_CODES, run_to_its_end, terms, with_terms
from gemba_core.workflow import runner

_EPILOG = f"""\
Examples:

\b
  gemba workflow resume planning/caching
  gemba workflow resume planning/caching --max-steps 2000

\b
{EXIT_CODES}"""


@click.command(epilog=_EPILOG)
@click.argument("workspace", type=click.Path(file_okay=False))
@with_terms
def resume(
    workspace: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Go on after a stop, a crash, or an answer.

    Without --agent it is the one that it began with. What a runner that died has
    left is settled first: nothing issued is lost, nothing reported runs again.
    """
    path = os.path.abspath(workspace)
    past, _ = runner.standing(path)
    given["agent"] = given["agent"] or runner.begun_in(path, past).agent
    chosen = terms(**given)
    run_to_its_end(
        lambda tell: runner.resume(path, chosen, tell),
        workspace,
        as_json=as_json,
        pending=past.action,
    )
