"""Tables and pages for people. Text from agents is shown without control characters."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gemba_core.frame.text import deliverable, one_line
from gemba_core.index import Escalation, Filter, Session

SHORT = 8
_STYLES = {"blocking": "bold red", "advisory": "yellow"}
_WORDS = {"modify": "answered", "approve": "approved", "deny": "denied", "defer": "deferred"}


def console() -> Console:
    """A console that keeps whole lines when its output is read by a program."""
    made = Console(highlight=False, emoji=False, markup=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = 160
    return made


def ago(moment: str | None, now: datetime | None = None) -> str:
    """`3m ago`; the moment in RFC 3339."""
    if moment is None:
        return "?"
    seconds = int(((now or datetime.now(UTC)) - datetime.fromisoformat(moment)).total_seconds())
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit} ago"
    return f"{max(seconds, 0)}s ago"


def state_of(item: Escalation) -> str:
    """What a person calls its state: open, answered, denied, deferred, canceled, expired."""
    return _WORDS[item.resolution.kind] if item.resolution else item.state


def print_escalations(escalations: Sequence[Escalation], chosen: Filter) -> None:
    """The table of the inbox."""
    out = console()
    if not escalations:
        only_open = chosen.states == ("open",)
        out.print("Nothing is open." if only_open else "No escalation matches.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("ID", no_wrap=True)
    table.add_column("URGENCY", no_wrap=True)
    table.add_column("ASKED", no_wrap=True)
    if chosen.states != ("open",):
        table.add_column("STATE", no_wrap=True)
    table.add_column("SESSION", max_width=24)
    table.add_column("KIND", no_wrap=True)
    table.add_column("WORK ITEM", max_width=14)
    table.add_column("TITLE")
    for item in escalations:
        again = f"(asked {item.asked_count} times) " if item.asked_count > 1 else ""
        row: list[str | Text] = [
            item.id[:SHORT],
            Text(item.urgency, style=_STYLES[item.urgency]),
            ago(item.created_at),
            _yielding(item.session_id),
            item.source,
            _yielding(item.work_item_id or ""),
            _yielding(again + item.title),
        ]
        if chosen.states != ("open",):
            row.insert(3, state_of(item))
        table.add_row(*row)
    out.print(table)


def print_escalation(item: Escalation) -> None:
    """One escalation with everything that is known of it."""
    out = console()
    out.print(Text(deliverable(item.title), style="bold"))
    out.print()
    if deliverable(item.prompt) != deliverable(item.title):
        out.print(Text(deliverable(item.prompt)))
        out.print()
    for option in item.options:
        label = "" if option["label"] == option["value"] else f"  {one_line(option['label'])}"
        out.print(Text(f"  [{one_line(option['value'])}]{label}"))
    if item.options:
        out.print()
    _print_facts(out, _facts(item))


def print_sessions(sessions: Sequence[Session], on_what: dict[str, str]) -> None:
    """The table of the sessions; `on_what` is the title that each of them waits on."""
    out = console()
    if not sessions:
        out.print("No session has reported yet.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("SESSION", max_width=40)
    for name in ("AGENT", "STATUS", "SINCE", "OPEN"):
        table.add_column(name, no_wrap=True, max_width=40)
    table.add_column("ON")
    for item in sessions:
        blocking = f" ({item.blocking} blocking)" if item.blocking else ""
        table.add_row(
            _yielding(item.session_id),
            one_line(item.agent_type),
            _status(item),
            ago(item.status_at),
            f"{item.open}{blocking}",
            _yielding(on_what.get(item.session_id) or item.note or ""),
        )
    out.print(table)


def print_session(item: Session, open_ones: Sequence[Escalation]) -> None:
    """One session, and what it has open."""
    out = console()
    facts = [
        ("session", one_line(item.session_id, 200)),
        ("agent", one_line(item.agent_type)),
        ("status", _status(item)),
        ("since", f"{ago(item.status_at)} ({item.status_at})"),
        ("note", one_line(item.note or "", 200)),
        ("work item", one_line(item.work_item_id or "")),
        ("log", item.log),
    ]
    _print_facts(out, facts)
    if open_ones:
        out.print()
        print_escalations(open_ones, Filter())


def _yielding(text: str) -> Text:
    """A cell that is cut where the terminal is narrow, so that ids and states never are.

    Its column may not be `no_wrap`: rich narrows all of those alike.
    """
    return Text(one_line(text, 200), no_wrap=True, overflow="ellipsis")


def _status(item: Session) -> str:
    return item.status + (f" ({one_line(item.close_reason)})" if item.close_reason else "")


def _facts(item: Escalation) -> list[tuple[str, str]]:
    facts = [
        ("id", item.id),
        ("state", state_of(item) + (f" ({one_line(item.reason)})" if item.reason else "")),
        ("urgency", item.urgency),
        ("kind", f"{item.source} ({item.role})" if item.role else item.source),
        ("session", one_line(f"{item.session_id} ({item.agent_type})", 200)),
        ("work item", one_line(item.work_item_id or "")),
        ("asked", f"{ago(item.created_at)} ({item.created_at})"),
        ("asked again", f"{item.asked_count} times" if item.asked_count > 1 else ""),
        ("deadline", f"{item.deadline} ({item.on_expiry})" if item.deadline else ""),
        ("typed in the pane meanwhile", one_line(item.possible_reply or "", 200)),
    ]
    done = item.resolution
    if done is not None:
        facts.append(("answer", deliverable(done.value or "")))
        facts.append(
            ("by", f"{one_line(done.resolved_by)} via {done.via}, {ago(done.resolved_at)}")
        )
    if item.delivery is not None:
        detail = f": {one_line(item.delivery.detail, 200)}" if item.delivery.detail else ""
        facts.append(("delivery", f"{item.delivery.status}{detail}"))
    return facts


def _print_facts(out: Console, facts: list[tuple[str, str]]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        if value:
            table.add_row(name, Text(deliverable(value)))
    out.print(table)
