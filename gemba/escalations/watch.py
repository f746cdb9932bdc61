"""`gemba escalations watch`."""

from datetime import datetime

import click

from gemba.output import print_json, warn
from gemba_core.attention.notifier import Notifier
from gemba_core.expiry import is_claimed
from gemba_core.frame.text import shown_line
from gemba_core.frame.vocabulary import RESOLVED_AS
from gemba_core.inbox.live import Event
from gemba_core.inbox.live import watch as follow
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Index

_EPILOG = """\
Examples:

\b
  gemba escalations watch
  gemba escalations watch --json | while read -r event; do ...; done

It also delivers answers that were held, applies deadlines (an agent sets one
with gemba-ask --deadline), and sends notifications. End it with Ctrl-C.
"""

# Cells from which on the columns stand below each other.
_WIDE = 100


@click.command(epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: event, escalation.")
def watch(as_json: bool) -> None:
    """Show what is open, then every change as it happens."""
    try:
        use_index(lambda index: _watch(index, as_json))
    except KeyboardInterrupt:
        return


def _watch(index: Index, as_json: bool) -> None:
    show = _show_json if as_json else _show
    told: set[str] = set()
    with Notifier() as notifier:
        for number, events in enumerate(follow(index)):
            if not (number or events or as_json):
                click.echo("watching; nothing is open")
            for event in events:
                show(event)
            notifier.attend(index)
            new = [problem for problem in index.problems if problem not in told]
            told.update(new)
            warn(new)


def _show_json(event: Event) -> None:
    print_json({"event": event.kind, "escalation": event.escalation})


def _show(event: Event) -> None:
    # Imported here: a program that asks for JSON does not wait for the table's library.
    from gemba.render import console, yielding

    item = event.escalation
    time = datetime.now().strftime("%H:%M:%S")
    what = _words(event.kind, item)
    session = shown_line(item.session_id, 24)
    out = console()
    if out.width >= _WIDE:
        what, session = f"{what:<22}", f"{session:<16}"
    line = "  ".join((time, item.id[:8], what, session, item.title))
    out.print(yielding(line), no_wrap=True, overflow="ellipsis")


def _words(kind: str, item: Escalation) -> str:
    if kind == "changed" and is_claimed(item):
        return f"claimed by {shown_line(item.claimed_by or '', 24)}"
    if item.state == "open":
        return f"{kind} ({item.urgency})"
    if kind == "delivery" and item.delivery is not None:
        return f"answer {item.delivery.status}"
    if item.resolution is None:
        return item.state
    return f"{RESOLVED_AS[item.resolution.kind]} by {shown_line(item.resolution.resolved_by, 24)}"
