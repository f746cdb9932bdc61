"""What the commands are told beside the agent's message."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from gemba_core.handoff.validate import Context


def in_context(command: Callable[..., None]) -> Callable[..., None]:
    """`--agent` and `--consolidation`, given to the command as its `context`."""

    @click.option("--agent", metavar="ID", help="Whom it was expected from.")
    @click.option(
        "--consolidation", is_flag=True, help="It must say how it fits with the work of others."
    )
    @wraps(command)
    def with_context(*, agent: str | None, consolidation: bool, **options: Any) -> None:
        command(context=Context(agent, consolidation), **options)

    return with_context
