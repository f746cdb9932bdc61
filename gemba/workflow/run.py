"""`gemba workflow run`."""

import os
from typing import Any

import click

from gemba.workflow.skill import complete_scripted
from gemba.workflow.terms import EXIT_CODES, run_to_its_end, terms, with_terms
from gemba_core.workflow.runner import begin
from gemba_core.workflow.site import site_for
from gemba_core.workflow.skill import find

_EPILOG = f"""\
Examples:

\b
  gemba workflow run gemba-research planning/caching
  gemba workflow run skills/deep-research planning/caching --agent claude --max-parallel 2
  gemba workflow run release notes/2.4 --patience 30m --json

\b
{EXIT_CODES}"""


@click.command(epilog=_EPILOG)
@click.argument("skill", shell_complete=complete_scripted)
@click.argument("workspace", type=click.Path(file_okay=False))
@with_terms
def run(
    skill: str,
    workspace: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Run a script-driven skill in a workspace, a folder of its own.

    SKILL is a name (gemba workflow list) or the skill's folder.
    """
    current = os.getcwd()
    site = site_for(find(skill, current), workspace, current)
    chosen = terms(**given)
    run_to_its_end(lambda tell: begin(site, chosen, tell), workspace, as_json=as_json)
