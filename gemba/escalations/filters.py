"""The options that choose escalations, shared by every command that lists them."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from gemba_core.frame.vocabulary import ROLES, SOURCES, URGENCIES
from gemba_core.index import Filter
from gemba_core.index.queries import STATE_WORDS
from gemba_core.settings import seconds

_OPTIONS = (
    click.option("--all", "everything", is_flag=True, help="Settled ones too."),
    click.option("--state", "states", multiple=True, type=click.Choice(list(STATE_WORDS))),
    click.option("--session", metavar="ID", help="Of this session only."),
    click.option("--urgency", type=click.Choice(URGENCIES)),
    click.option("--kind", type=click.Choice(SOURCES), help="question, blocker, ..."),
    click.option("--role", type=click.Choice(ROLES)),
    click.option("--since", metavar="TIME", help="Asked in the last 2h, 7d, or since 2026-11-01."),
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
    since: str | None,
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
        since=_moment(since) if since else None,
        search=search,
        limit=limit,
    )


def _moment(text: str) -> int:
    """Microseconds since the epoch."""
    ago = seconds(text)
    if ago is not None:
        return int((time.time() - ago) * 1_000_000)
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1_000_000)
    except ValueError:
        hint = f"{text!r}: give a time such as 2h, 7d or 2026-11-01"
        raise click.BadParameter(hint, param_hint="--since") from None
