"""Tables and pages for people. Text from agents is shown without control characters."""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gemba_core.expiry import is_claimed, is_past
from gemba_core.frame.text import deliverable, one_line
from gemba_core.inbox.groups import grouped
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
    for item, equal_to in _in_groups(escalations):
        row: list[str | Text] = [
            item.id[:SHORT],
            Text(item.urgency, style=_STYLES[item.urgency]),
            ago(item.created_at),
            yielding(item.session_id),
            item.source,
            yielding(item.work_item_id or ""),
            yielding(f"″ asks the same as {equal_to[:SHORT]}" if equal_to else _headline(item)),
        ]
        if chosen.states != ("open",):
            row.insert(3, state_of(item))
        table.add_row(*row)
    out.print(table)


def _in_groups(escalations: Sequence[Escalation]) -> Iterator[tuple[Escalation, str | None]]:
    """Each of them; with one that asks the same as another above it, that one's id."""
    for first, *others in grouped(escalations):
        yield first, None
        yield from ((other, first.id) for other in others)


def _headline(item: Escalation) -> str:
    """Its title, and what an operator should know before taking it up."""
    remarks = []
    if item.state == "open" and is_claimed(item):
        remarks.append(f"claimed by {item.claimed_by}")
    if item.state == "open" and item.deadline:
        remarks.append("overdue" if is_past(item.deadline) else f"until {_clock(item.deadline)}")
    if item.asked_count > 1:
        remarks.append(f"asked {item.asked_count} times")
    return f"({', '.join(remarks)}) {item.title}" if remarks else item.title


def _clock(moment: str) -> str:
    """The moment in local time, as short as it can be said."""
    when = datetime.fromisoformat(moment).astimezone()
    return when.strftime("%H:%M" if when.date() == datetime.now().date() else "%Y-%m-%d %H:%M")


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
    print_facts(out, _facts(item))


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
            yielding(item.session_id),
            one_line(item.agent_type),
            _status(item),
            ago(item.status_at),
            f"{item.open}{blocking}",
            yielding(on_what.get(item.session_id) or item.note or ""),
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
        ("skill", _lead(item)),
        ("log", item.log),
    ]
    print_facts(out, facts)
    if open_ones:
        out.print()
        print_escalations(open_ones, Filter())


def yielding(text: str) -> Text:
    """A cell that is cut where the terminal is narrow, so that ids and states never are.

    Its column may not be `no_wrap`: rich narrows all of those alike.
    """
    return Text(one_line(text, 200), no_wrap=True, overflow="ellipsis")


def _lead(item: Session) -> str:
    """The skill that leads the turn, and the tools that it narrows the session to."""
    if item.lead is None:
        return ""
    allowed = ", ".join(item.lead.tools or ()) or "none"
    tools = "" if item.lead.tools is None else f" (tools: {allowed})"
    return one_line(f"{item.lead.skill}{tools}", 200)


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
        ("claimed", f"by {item.claimed_by} until {item.claimed_until}" if is_claimed(item) else ""),
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


def print_facts(out: Console, facts: list[tuple[str, str]]) -> None:
    """A page of names and values; an empty value has no line."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        if value:
            table.add_row(name, Text(deliverable(value)))
    out.print(table)
