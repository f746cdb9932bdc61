"""`gemba adaptor`."""

import click

from gemba.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    epilog="Example: gemba adaptor test noop",
    lazy={
        "list": "gemba.adaptor.list:list_",
        "describe": "gemba.adaptor.describe:describe",
        "test": "gemba.adaptor.test:test",
    },
)
def adaptor() -> None:
    """Adaptors of agent runtimes: list them, try them."""
