"""`gemba workflow`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba workflow run gemba-research planning/caching",
    lazy={
        "list": "gemba.workflow.list:list_",
        "run": "gemba.workflow.run:run",
        "resume": "gemba.workflow.resume:resume",
        "status": "gemba.workflow.status:status",
        "check": "gemba.workflow.check:check",
        "new": "gemba.workflow.new:new",
        "respond": "gemba.workflow.respond:respond",
    },
)
def workflow() -> None:
    """Script-driven skills: run, resume, check, write."""
