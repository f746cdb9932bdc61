"""`gemba skills enable|disable`."""

from collections.abc import Sequence

import click

from gemba.output import print_json
from gemba.skills.find import complete_skills, here, named
from gemba_core.errors import NotFound
from gemba_core.skills import enabled
from gemba_core.skills.registry import Registry

_CODES = """\

\b
Exit codes: 0 done, or it was so already; 1 the file of switched-off skills
cannot be read or written; 4 no such skill, and then nothing is switched.
"""
_NAMES = click.argument("names", nargs=-1, required=True, shell_complete=complete_skills)
_JSON = click.option("--json", "as_json", is_flag=True, help="An array: id, enabled, changed.")


@click.command(epilog="Example: gemba skills enable test-strategy\n" + _CODES)
@_NAMES
@_JSON
def enable(names: tuple[str, ...], as_json: bool) -> None:
    """Let agents use these skills again."""
    _switch(names, as_json, on=True)


@click.command(epilog="Example: gemba skills disable test-strategy\n" + _CODES)
@_NAMES
@_JSON
def disable(names: tuple[str, ...], as_json: bool) -> None:
    """Keep agents from using these skills, here and elsewhere."""
    _switch(names, as_json, on=False)


def _switch(names: Sequence[str], as_json: bool, *, on: bool) -> None:
    registry = here()
    ids = list(dict.fromkeys(_id(registry, name) for name in names))
    changed = enabled.switch(ids, on=on)
    if as_json:
        print_json([{"id": id, "enabled": on, "changed": id in changed} for id in ids])
        return
    word = "enabled" if on else "disabled"
    for id in ids:
        click.echo(f"{word}: {id}" if id in changed else f"{id} was {word} already")


def _id(registry: Registry, name: str) -> str:
    """The id; also one that is switched off and whose file is gone or broken."""
    try:
        return named(registry, name).id
    except NotFound:
        if registry.is_enabled(name):
            raise
        return name
