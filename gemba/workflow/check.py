"""`gemba workflow check`."""

import os
import sys

import click

from gemba.output import print_json, warn
from gemba.workflow.show import showing
from gemba.workflow.skill import complete_scripted
from gemba_core.frame.text import shown_line
from gemba_core.workflow.check import rehearse
from gemba_core.workflow.journal import Tell
from gemba_core.workflow.record import Consulted, Record, Settled
from gemba_core.workflow.skill import find

_EPILOG = """\
Examples:

\b
  gemba workflow check release-notes
  gemba workflow check skills/deep-research --samples tests/deep-research

\b
Exit codes: 0 nothing is wrong, also where it ends at a gate that the fakes do not pass;
1 a context file is missing, a {{name}} is filled by nothing, or the machine is at fault;
2 usage; 4 no such skill.
"""
_WIDTH = 300


@click.command(epilog=_EPILOG)
@click.argument("skill", shell_complete=complete_scripted)
@click.option(
    "--samples",
    type=click.Path(exists=True, file_okay=False),
    help="Outputs to go on with; by default those in the skill's samples/.",
)
@click.option("--json", "as_json", is_flag=True, help="One object: ended, detail, problems.")
def check(skill: str, samples: str | None, as_json: bool) -> None:
    """Try a skill's machine, with its agents faked.

    It runs over an empty workspace, gate by gate, and nothing is left of it.
    """
    scripted = find(skill, os.getcwd())
    if as_json:
        result = rehearse(scripted, _nobody, samples=samples)
    else:
        with showing(as_json=False) as tell:
            result = rehearse(scripted, _without_people(tell), samples=samples)
    failed = result.ended == "failed"
    if as_json:
        print_json(
            {"ended": result.ended, "detail": result.detail, "problems": list(result.problems)}
        )
    else:
        for problem in result.problems:
            click.echo(shown_line(problem, _WIDTH))
        warn([result.detail] if failed else [])
        at_gate = f" at a gate: {shown_line(result.detail)}" if result.ended == "stopped" else ""
        click.echo(f"{result.ended}{at_gate}; problems: {len(result.problems) + failed}")
    sys.exit(1 if failed or result.problems else 0)


def _without_people(tell: Tell) -> Tell:
    """Nobody is asked: what would be, is faked."""
    return lambda record: None if isinstance(record, Consulted | Settled) else tell(record)


def _nobody(_: Record) -> None:
    """A program reads the result alone."""
