"""The options that choose among work items."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from gemba.work.plane import repository as named_repository
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.work.item import PRIORITIES

_OPTIONS = (
    click.option("--label", "labels", multiple=True, metavar="WORD", help="With all of these."),
    click.option("--kind", metavar="WORD", help="Of this kind."),
    click.option(
        "--priority",
        type=click.IntRange(PRIORITIES[0], PRIORITIES[-1]),
        help="Of this priority, or more urgent.",
    ),
    click.option("--repository", metavar="PATH", help="Done in this one."),
    click.option("--sprint", metavar="ID", help="Of this sprint."),
)


def filtering(command: Callable[..., None]) -> Callable[..., None]:
    """Give the command these options; it gets them as one `filter`."""

    @wraps(command)
    def filtered(
        *,
        labels: tuple[str, ...],
        kind: str | None,
        priority: int | None,
        repository: str | None,
        sprint: str | None,
        **others: Any,
    ) -> None:
        chosen = ReadyFilter(
            labels=labels,
            kind=kind,
            max_priority=priority,
            sprint_id=sprint,
            repository=named_repository(repository),
        )
        command(filter=chosen, **others)

    for option in reversed(_OPTIONS):
        filtered = option(filtered)
    return filtered
