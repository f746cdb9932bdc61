"""`gemba skills`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba skills list",
    lazy={
        "list": "gemba.skills.list:list_",
        "show": "gemba.skills.show:show",
        "new": "gemba.skills.new:new",
        "enable": "gemba.skills.switch:enable",
        "disable": "gemba.skills.switch:disable",
        "path": "gemba.skills.path:path",
        "expand": "gemba.skills.expand:expand_",
        "lint": "gemba.skills.lint:lint",
        "rules": "gemba.skills.rules:rules",
        "explain": "gemba.skills.explain:explain",
    },
)
def skills() -> None:
    """What your agents may follow: list, write, switch."""
