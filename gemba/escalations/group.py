"""`gemba escalations`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba escalations list",
    lazy={
        "list": "gemba.escalations.list:list_",
        "show": "gemba.escalations.show:show",
        "respond": "gemba.escalations.respond:respond",
        "approve": "gemba.escalations.settle:approve",
        "deny": "gemba.escalations.settle:deny",
        "defer": "gemba.escalations.settle:defer",
        "cancel": "gemba.escalations.settle:cancel",
        "reopen": "gemba.escalations.settle:reopen",
        "claim": "gemba.escalations.claim:claim",
        "release": "gemba.escalations.release:release",
        "redeliver": "gemba.escalations.redeliver:redeliver",
        "watch": "gemba.escalations.watch:watch",
    },
)
def escalations() -> None:
    """What agents ask: list, answer, watch."""
