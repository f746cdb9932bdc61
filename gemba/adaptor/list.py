"""`gemba adaptor list`."""

import click

from gemba.output import print_json
from gemba_core.frame.text import shown_line
from gemba_core.orchestration import adaptors


@click.command("list", epilog="Example: gemba adaptor list")
@click.option("--json", "as_json", is_flag=True, help="An array of names.")
def list_(as_json: bool) -> None:
    """The adaptors that are installed, by name."""
    names = adaptors.names()
    if as_json:
        print_json(names)
        return
    for name in names:
        click.echo(shown_line(name))
