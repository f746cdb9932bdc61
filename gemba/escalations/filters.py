"""The options that choose escalations, shared by every command that lists them."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from gemba.completion import complete_sessions
from gemba_core.frame.vocabulary import ROLES, SOURCES, URGENCIES
from gemba_core.index import Filter
from gemba_core.index.queries import STATE_WORDS
from gemba_core.settings import seconds


def moment(text: str) -> int | None:
    """`2h` ago, or 2026-11-01, in microseconds since the epoch; None where it is no time."""
    ago = seconds(text)
    try:
        if ago:
            return max(0, int((time.time() - ago) * 1_000_000))
        at = datetime.fromisoformat(text)
        # What is before all records is as good as their beginning, and fits into a column.
        return int(at.timestamp() * 1_000_000) if at.year > 1970 else 0
    except (ValueError, OverflowError):
        return None


def _since(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
    at = moment(text) if text else None
    if text and at is None:
        raise click.BadParameter(f"{text!r}: give a time such as 2h, 7d or 2026-11-01")
    return at


_OPTIONS = (
    click.option("--all", "everything", is_flag=True, help="Settled ones too."),
    click.option(
        "--state", "states", multiple=True, type=click.Choice(list(STATE_WORDS)), help="Repeatable."
    ),
    click.option(
        "--session", metavar="ID", shell_complete=complete_sessions, help="Of this session only."
    ),
    click.option("--urgency", type=click.Choice(URGENCIES)),
    click.option("--kind", type=click.Choice(SOURCES), help="question, blocker, ..."),
    click.option("--role", type=click.Choice(ROLES)),
    click.option(
        "--since",
        metavar="TIME",
        callback=_since,
        help="Asked in the last 2h, 7d, or since 2026-11-01.",
    ),
    click.option("--search", metavar="TEXT", help="With this in the title or the text."),
    click.option("--limit", type=click.IntRange(min=1), help="At most so many."),
)


def filtered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; `wanted(**options)` makes a Filter of them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def wanted(
    *,
    everything: bool,
    states: tuple[str, ...],
    session: str | None,
    urgency: str | None,
    kind: str | None,
    role: str | None,
    since: int | None,
    search: str | None,
    limit: int | None,
) -> Filter:
    """The filter that the options describe: open ones unless told otherwise."""
    return Filter(
        states=states or (() if everything else ("open",)),
        session=session,
        urgency=urgency,
        source=kind,
        role=role,
        since=since,
        search=search,
        limit=limit,
    )
