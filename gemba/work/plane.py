"""The WorkPlane that commands ask, what they say of an item, and what the shell completes."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

import click

from gemba.completion import completing
from gemba_core.frame.text import shown_line
from gemba_core.orchestration.work.binding import bound
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.plane import WorkPlane

T = TypeVar("T")


def here() -> WorkPlane:
    """The one that is bound, for the current folder. Raises TomlInvalid, OSError."""
    return bound(os.getcwd())


def asked(question: Callable[[WorkPlane], Awaitable[T]]) -> T:
    """What the plane answers. Raises AdaptorError, TomlInvalid, OSError."""

    async def ask() -> T:
        return await question(here())

    return asyncio.run(ask())


def say(item: WorkItem) -> None:
    """How it stands now, in one line."""
    who = f", {item.assignee} has it" if item.assignee else ""
    click.echo(shown_line(f"{item.id}: {item.status}{who}: {item.title}", 300))


def repository(given: str | None) -> str | None:
    """What names a repository: a folder's own absolute path, else the text as it stands."""
    return os.path.realpath(given) if given and os.path.isdir(given) else given


@completing
def complete_items() -> list[tuple[str, str]]:
    """The ids of what is not done, with their titles."""
    return _titled(asked(lambda plane: plane.list_items()))


@completing
def complete_ready() -> list[tuple[str, str]]:
    """The ids of what can be claimed."""
    return _titled(_in(StateCategory.READY))


@completing
def complete_started() -> list[tuple[str, str]]:
    """The ids of what somebody has."""
    return _titled(_in(StateCategory.STARTED))


def _in(category: StateCategory) -> list[WorkItem]:
    items = asked(lambda plane: plane.list_items())
    return [item for item in items if item.state_category is category]


def _titled(items: Iterable[WorkItem]) -> list[tuple[str, str]]:
    return [(item.id, item.title) for item in items]
