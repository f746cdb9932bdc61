"""`gemba completion`: what the shell completes, and how it is switched on."""

import click
from click.shell_completion import CompletionItem, get_completion_class

from gemba_core.errors import GembaError
from gemba_core.frame.text import one_line
from gemba_core.inbox.opened import use_index
from gemba_core.index import Filter

_EPILOG = """\
Examples:

\b
  eval "$(gemba completion bash)"                          (in ~/.bashrc)
  eval "$(gemba completion zsh)"                           (in ~/.zshrc)
  gemba completion fish > ~/.config/fish/completions/gemba.fish
"""


@click.command(epilog=_EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that makes your shell complete commands and ids."""
    # Imported here: the command that is completed is the one that imports this file.
    from gemba.cli import gemba

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(gemba, {}, "gemba", "_GEMBA_COMPLETE").source())


def complete_ids(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of open escalations, with their titles."""
    try:
        found = use_index(lambda index: index.escalations(Filter()))
    except GembaError:
        return []
    return [
        CompletionItem(item.id, help=one_line(item.title))
        for item in found
        if item.id.startswith(incomplete)
    ]
