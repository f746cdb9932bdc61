"""`gemba work`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba work list --ready",
    lazy={
        "add": "gemba.work.add:add",
        "list": "gemba.work.list:list_",
        "show": "gemba.work.show:show",
        "claim": "gemba.work.claim:claim",
        "release": "gemba.work.release:release",
        "done": "gemba.work.done:done",
        "dispatch": "gemba.work.dispatch:dispatch",
    },
)
def work() -> None:
    """Work items: add, claim, give to agents."""
