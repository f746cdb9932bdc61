"""Tables and pages of work items for people."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from gemba.render import console, print_facts, yielding
from gemba.sessions.page import place_facts
from gemba_core.frame.moment import ago, rfc3339
from gemba_core.frame.text import shown, shown_line
from gemba_core.index import Session
from gemba_core.orchestration.work.item import WorkItem


def print_items(items: Sequence[WorkItem]) -> None:
    """The table of items."""
    out = console()
    if not items:
        out.print("No work item matches; gemba work add makes one.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("ID", "PRIO", "STATUS"):
        table.add_column(name, no_wrap=True)
    table.add_column("WHO", max_width=24)
    table.add_column("TITLE", min_width=10)
    for item in items:
        table.add_row(
            shown_line(item.id, 40),
            str(item.priority),
            shown_line(item.status, 20),
            yielding(item.assignee or ""),
            yielding(item.title),
        )
    out.print(table)


def print_item(item: WorkItem, session: Session | None) -> None:
    """One item with all that is known of it, and of the session that it was dispatched to."""
    out = console()
    out.print(Text(shown_line(item.title, 1000), style="bold"))
    if item.description:
        out.print()
        out.print(Text(shown(item.description)))
    out.print()
    made = rfc3339(item.created_at)
    print_facts(
        out,
        [
            ("id", item.id),
            ("status", item.status),
            ("who", item.assignee or ""),
            ("priority", str(item.priority)),
            ("kind", item.kind),
            ("labels", ", ".join(item.labels)),
            ("repository", item.repository or ""),
            ("sprint", item.sprint_id or ""),
            ("added", f"{ago(made)} ({made})"),
            *(_of(session) if session is not None else ()),
        ],
    )


def _of(session: Session) -> list[tuple[str, str]]:
    place = [(name, value) for name, value in place_facts(session) if name != "repository"]
    return [("session", shown_line(session.session_id, 200)), *place]
