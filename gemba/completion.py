"""`gemba completion`: what the shell completes, and how it is switched on."""

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem, get_completion_class

from gemba_core.errors import GembaError
from gemba_core.frame.text import shown_line
from gemba_core.frame.vocabulary import DUE
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Filter

# What can be completed, each with a few words about it.
Offered: TypeAlias = list[tuple[str, str]]
Offer: TypeAlias = Callable[[], Offered]
Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

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
    """Print the script by which your shell completes."""
    # Imported here: the command that is completed is the one that imports this file.
    from gemba.cli import gemba

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(gemba, {}, "gemba", "_GEMBA_COMPLETE").source())


def completing(offered: Offer) -> Completer:
    """A completer of what begins as typed; where nothing can be read, nothing is offered."""

    @wraps(offered)
    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            found = offered()
        except (GembaError, OSError):
            return []
        return [
            CompletionItem(value, help=shown_line(said))
            for value, said in found
            if value.startswith(incomplete) and value == shown_line(value, len(value))
        ]

    return complete


@completing
def complete_ids() -> Offered:
    """The ids of open escalations, with their titles."""
    return _titled(_escalations(Filter()))


@completing
def complete_settled() -> Offered:
    """The ids of escalations that can be opened again."""
    return _titled(_escalations(Filter(states=("resolved", "canceled", "expired"))))


@completing
def complete_undelivered() -> Offered:
    """The ids of escalations whose answer waits, or may not have arrived."""
    answered = _escalations(Filter(states=("resolved",)))
    return _titled(
        [one for one in answered if one.delivery and one.delivery.status in (*DUE, "uncertain")]
    )


@completing
def complete_sessions() -> Offered:
    """The ids of sessions, with what each of them does."""
    return [(one.session_id, one.status) for one in use_index(lambda index: index.sessions())]


@completing
def complete_agents() -> Offered:
    """The names in the workspace's agents.toml."""
    # Imported here: only `gemba run` pays for it.
    from gemba_core import agents, home

    path = home.agents_path()
    return [(agent.name, agent.client) for agent in agents.load(path)] if path else []


def _escalations(wanted: Filter) -> list[Escalation]:
    return use_index(lambda index: index.escalations(wanted))


def _titled(found: list[Escalation]) -> Offered:
    return [(item.id, item.title) for item in found]
