"""`gemba skills explain`."""

import click
from click.shell_completion import CompletionItem

from gemba.output import write
from gemba_core.skills.lint import RULES, named

_EPILOG = """\
Examples:

\b
  gemba skills explain GS105
  gemba skills explain coach-blocks

Exit codes: 0; 2 no rule is named so.
"""


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(rule.id, help=rule.name) for rule in RULES if rule.id.startswith(incomplete)
    ]


@click.command(epilog=_EPILOG)
@click.argument("rule", shell_complete=_complete)
def explain(rule: str) -> None:
    """Print a rule's page: what it does, why, and an example."""
    write("\n".join(one.page() for one in named(rule)).encode())
