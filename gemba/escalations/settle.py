"""`gemba escalations approve|deny|defer|cancel|reopen`."""

from collections.abc import Callable
from typing import Any

import click

from gemba.completion import Completer, complete_ids, complete_settled
from gemba.escalations.operator import as_operator
from gemba.escalations.outcome import settle_and_deliver
from gemba.output import print_json
from gemba_core.inbox import settle
from gemba_core.inbox.actor import actor
from gemba_core.inbox.find import find_all
from gemba_core.inbox.opened import use_index
from gemba_core.index import Index

Option = Callable[[Any], Any]

_CODES = """
Exit codes: 0 recorded; 1 failed; 2 usage; 4 no such escalation, or an
ambiguous prefix; 5 already settled.
"""


_EQUAL = click.option("--equal", is_flag=True, help="Also every open one that asks the same.")
_NONCE = click.option("--nonce", help="For programs: the same nonce twice is one decision.")


def _command(
    name: str, text: str, *extra: Option, completer: Completer = complete_ids
) -> Callable[[Callable[..., None]], click.Command]:
    def decorate(function: Callable[..., None]) -> click.Command:
        epilog = f'Example: gemba escalations {name} 3f9c 81aa --note "..."\n\n{_CODES}'
        decorated: Any = function
        for option in (
            click.option("--json", "as_json", is_flag=True, help="What was settled."),
            as_operator,
            click.option("--note", help=text),
            *extra,
            click.argument(
                "ids", nargs=-1, required=True, metavar="ID...", shell_complete=completer
            ),
        ):
            decorated = option(decorated)
        return click.command(name, epilog=epilog)(decorated)

    return decorate


@_command(
    "approve",
    "Handed to the agent instead of a plain yes.",
    _NONCE,
    _EQUAL,
    click.option("--always", is_flag=True, help="Permissions: the client's own lasting rule too."),
)
def approve(ids: tuple[str, ...], note: str | None, **options: Any) -> None:
    """Say yes to each; all or none."""
    settle_and_deliver(ids, kind="approve", value=note, **options)


@_command("deny", "Handed to the agent instead of a plain no.", _NONCE, _EQUAL)
def deny(ids: tuple[str, ...], note: str | None, **options: Any) -> None:
    """Say no to each; all or none."""
    settle_and_deliver(ids, kind="deny", value=note, **options)


@_command("defer", "Why, for the record; nothing reaches the agent.", _NONCE, _EQUAL)
def defer(ids: tuple[str, ...], note: str | None, **options: Any) -> None:
    """Put each aside without an answer; all or none."""
    settle_and_deliver(ids, kind="defer", value=note, **options)


@_command("cancel", "Why, for the record.")
def cancel(ids: tuple[str, ...], note: str | None, operator: str | None, as_json: bool) -> None:
    """Close each without an answer; all or none."""
    _act(settle.cancel, "canceled", ids, note, operator, as_json)


@_command("reopen", "Why, for the record.", completer=complete_settled)
def reopen(ids: tuple[str, ...], note: str | None, operator: str | None, as_json: bool) -> None:
    """Open each again; all or none.

    An answer that was not handed over yet is void.
    """
    _act(settle.reopen, "reopened", ids, note, operator, as_json)


def _act(
    use_case: Callable[..., None],
    word: str,
    ids: tuple[str, ...],
    note: str | None,
    operator: str | None,
    as_json: bool,
) -> None:
    def run(index: Index) -> list[str]:
        items = [item.id for item in find_all(index, list(ids))]
        use_case(index, items, reason=note, actor=actor(index, operator))
        return items

    done = use_index(run)
    if as_json:
        print_json([{"id": item, "state": word} for item in done])
    else:
        click.echo(f"{word}: {' '.join(done)}")
