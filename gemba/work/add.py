"""`gemba work add`."""

import asyncio
import os
import sys

import click

from gemba.output import print_json, warn
from gemba.work.plane import here, repository
from gemba_core.errors import UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.frame.text import deliverable
from gemba_core.orchestration.session import too_long
from gemba_core.orchestration.work.item import DEFAULT_PRIORITY, PRIORITIES, WorkItem
from gemba_core.orchestration.work.queue import NewItem, Queue

_EPILOG = """\
Examples:

\b
  gemba work add "Retry failed webhooks" --priority 1 --label payments
  gemba work add "Write the release notes" --repository . --description - < notes.md

Its id is printed.

\b
Exit codes: 0 added; 1 failed, or another program keeps the work; 2 usage.
"""


@click.command(epilog=_EPILOG)
@click.argument("title")
@click.option("--description", metavar="TEXT|-", default="", help="All that the agent is told.")
@click.option("--kind", metavar="WORD", default="task", show_default=True, help="What sort it is.")
@click.option(
    "--priority",
    type=click.IntRange(PRIORITIES[0], PRIORITIES[-1]),
    default=DEFAULT_PRIORITY,
    show_default=True,
    help="0 is the most urgent.",
)
@click.option("--label", "labels", multiple=True, metavar="WORD", help="Repeatable.")
@click.option("--repository", "where", metavar="PATH", help="Where it is done.")
@click.option("--sprint", metavar="ID", help="The sprint that it belongs to.")
@click.option("--json", "as_json", is_flag=True, help="The item (docs/work.md).")
def add(
    title: str,
    description: str,
    kind: str,
    priority: int,
    labels: tuple[str, ...],
    where: str | None,
    sprint: str | None,
    as_json: bool,
) -> None:
    """Put a work item into the queue."""
    if not deliverable(title):
        raise UsageError("the title is empty; say in a few words what is to be done")
    text = _text(description)
    why = too_long(title + text)
    if why:
        raise UsageError(f"the title and the description: {why}")
    new = NewItem(
        title=title,
        description=text,
        kind=kind,
        priority=priority,
        labels=tuple(dict.fromkeys(labels)),
        repository=_repository(where),
        sprint_id=sprint,
    )
    item = _added(new)
    if as_json:
        print_json(item)
    else:
        click.echo(item.id)


def _repository(given: str | None) -> str | None:
    if given is not None and not os.path.isdir(given):
        warn([f"{given}: no such folder; dispatch passes the item over until there is one"])
    return repository(given)


def _text(given: str) -> str:
    if given != "-":
        return given
    return sys.stdin.buffer.read(MAX_INPUT).decode("utf-8", "replace")


def _added(new: NewItem) -> WorkItem:
    plane = here()
    if not isinstance(plane, Queue):
        raise UsageError("the work is kept by Beads here; add it with: bd create")
    return asyncio.run(plane.add(new))
