"""`gemba doctor`."""

import sys

import click

from gemba.output import print_json
from gemba_core import home
from gemba_core.doctor import CHECKS, Finding
from gemba_core.doctor.finding import failed
from gemba_core.errors import GembaError
from gemba_core.frame.text import shown
from gemba_core.log import why

_EPILOG = """\
Examples:

\b
  gemba doctor
  gemba doctor --json        (inside an agent's sandbox too)

\b
Exit codes: 0 in order, warnings or not; 1 something does not work, and what to do is said.
"""
_MARKS = {"ok": ("ok", "green"), "warning": ("look", "yellow"), "failed": ("FAIL", "red")}


@click.command(epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="An array: check, status, detail, todo.")
def doctor(as_json: bool) -> None:
    """Check all that Gemba needs, with a real question."""
    findings = []
    for check in CHECKS:
        try:
            found = list(check())
        except GembaError as error:
            found = [failed(check.__name__, str(error), "see the message")]
        except OSError as error:
            found = [failed(check.__name__, why(home.home(), error), "see the message")]
        findings += found
        if not as_json:
            for finding in found:
                _show(finding)
    if as_json:
        print_json(findings)
    sys.exit(1 if any(finding.status == "failed" for finding in findings) else 0)


def _show(finding: Finding) -> None:
    word, colour = _MARKS[finding.status]
    detail = shown(finding.detail)
    click.echo(f"{click.style(f'{word:<4}', fg=colour)}  {finding.check:<16} {detail}")
    if finding.todo:
        click.echo(f"      {'':<16} -> {shown(finding.todo)}")
