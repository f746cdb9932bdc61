"""`gemba skills rules`."""

import click
from rich.table import Table

from gemba.output import print_json
from gemba.render import console
from gemba_core.skills.lint import RULES, Rule

_EPILOG = """\
Examples:

\b
  gemba skills rules
  gemba skills rules --json

Exit code: 0.
"""
_HEADINGS = ("RULE", "NAME", "SEVERITY", "APPLIES TO", "FIX")
_GAP = 2


@click.command(epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="An array: docs/cli.md has its fields.")
def rules(as_json: bool) -> None:
    """List what `gemba skills lint` checks."""
    if as_json:
        shown = ("id", "name", "severity", "scope", "fixable", "does", "why")
        print_json([{key: getattr(rule, key) for key in shown} for rule in RULES])
        return
    out = console()
    rows = [_HEADINGS, *map(_row, RULES)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    count = len(widths)
    # From the right: the id and the name are what other commands take.
    while count > 2 and sum(widths[:count]) + _GAP * (count - 1) > out.width:
        count -= 1
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS[:count]:
        table.add_column(heading, no_wrap=True)
    for row in rows[1:]:
        table.add_row(*row[:count])
    out.print(table)


def _row(rule: Rule) -> tuple[str, ...]:
    return rule.id, rule.name, rule.severity, rule.scope, "yes" if rule.fixable else ""
