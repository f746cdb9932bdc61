"""`gemba skills rules`."""

import click
from rich.table import Table

from gemba.output import print_json
from gemba.render import console
from gemba_core.skills.lint import RULES

_EPILOG = """\
Examples:

\b
  gemba skills rules
  gemba skills rules --json

Exit code: 0.
"""


@click.command(epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="An array: docs/cli.md has its fields.")
def rules(as_json: bool) -> None:
    """List what `gemba skills lint` checks."""
    if as_json:
        shown = ("id", "name", "severity", "scope", "fixable", "does", "why")
        print_json([{key: getattr(rule, key) for key in shown} for rule in RULES])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("RULE", "NAME", "SEVERITY", "APPLIES TO", "FIX"):
        table.add_column(heading, no_wrap=True)
    for rule in RULES:
        fix = "yes" if rule.fixable else ""
        table.add_row(rule.id, rule.name, rule.severity, rule.scope, fix)
    console().print(table)
