"""`gemba escalations watch`."""

from datetime import datetime

import click

from gemba.output import print_json, warn, write
from gemba_core.frame.text import one_line
from gemba_core.inbox.live import Event
from gemba_core.inbox.live import watch as follow
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Index

_EPILOG = """\
Examples:

\b
  gemba escalations watch
  gemba escalations watch --json | while read -r event; do ...; done

It also delivers answers that were held, and applies deadlines. End it with Ctrl-C.
"""


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
    for events in follow(index):
        for event in events:
            show(event)
        new = [problem for problem in index.problems if problem not in told]
        told.update(new)
        warn(new)


def _show_json(event: Event) -> None:
    print_json({"event": event.kind, "escalation": event.escalation})


def _show(event: Event) -> None:
    item = event.escalation
    time = datetime.now().strftime("%H:%M:%S")
    what = _words(event.kind, item)
    session = one_line(item.session_id, 24)
    line = f"{time}  {item.id[:8]}  {what:<22}  {session:<16}  {one_line(item.title)}\n"
    write(line.encode())


def _words(kind: str, item: Escalation) -> str:
    if item.state == "open":
        return f"{kind} ({item.urgency})"
    if kind == "delivery" and item.delivery is not None:
        return f"answer {item.delivery.status}"
    if item.resolution is None:
        return item.state
    words = {"modify": "answered", "approve": "approved", "deny": "denied", "defer": "deferred"}
    return words[item.resolution.kind]
