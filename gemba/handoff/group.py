"""`gemba handoff`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba handoff decide answer.md",
    lazy={
        "check": "gemba.handoff.check:check",
        "decide": "gemba.handoff.decide:decide_",
        "raise": "gemba.handoff.raise_:raise_",
        "next": "gemba.handoff.next:next_",
        "render": "gemba.handoff.render:render_",
        "schema": "gemba.handoff.schema:schema_",
    },
)
def handoff() -> None:
    """What agents hand back: check it, and what to do next."""
