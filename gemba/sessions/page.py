"""The table of the sessions, and the page of one."""

from collections.abc import Sequence

from rich.text import Text

from gemba.render import Cells, console, fitting, print_escalations, print_facts, yielding
from gemba.sessions.work import where
from gemba_core.frame.moment import ago
from gemba_core.frame.text import shown_line
from gemba_core.index import Escalation, Filter, Session

# As those of `fitting`.
_YIELDS = {"AGENT": 24, "SINCE": 24, "WORK ITEM": 24, "OPEN": 10}
_CUTS = {
    "SESSION": (12, 40),
    "AGENT": (8, 40),
    "STATUS": (12, 40),
    "WORK ITEM": (9, 14),
    "ON": (10, None),
}


def print_sessions(sessions: Sequence[Session], on_what: dict[str, str]) -> None:
    """The table of the sessions; `on_what` is the title that each of them waits on."""
    out = console()
    rows = [_row(item, on_what.get(item.session_id)) for item in sessions]
    if not any(item.work_item_id for item in sessions):
        for row in rows:
            del row["WORK ITEM"]
    out.print(fitting(rows, _YIELDS, _CUTS, out.width))


def _row(item: Session, on_what: str | None) -> Cells:
    blocking = f" ({item.blocking} blocking)" if item.blocking else ""
    return {
        "SESSION": yielding(item.session_id),
        "AGENT": yielding(item.agent_type),
        "STATUS": yielding(_status(item)),
        "SINCE": Text(ago(item.status_at)),
        "OPEN": Text(f"{item.open}{blocking}"),
        "WORK ITEM": yielding(item.work_item_id or ""),
        "ON": yielding(on_what or item.note or ""),
    }


def print_session(item: Session, open_ones: Sequence[Escalation]) -> None:
    """One session, and what it has open."""
    out = console()
    facts = [
        ("session", shown_line(item.session_id, 200)),
        ("agent", shown_line(item.agent_type)),
        ("status", _status(item)),
        ("since", f"{ago(item.status_at)} ({item.status_at})"),
        ("note", shown_line(item.note or "", 200)),
        ("work item", shown_line(item.work_item_id or "")),
        *place_facts(item),
        ("skill", _lead(item)),
        ("log", item.log),
    ]
    print_facts(out, facts)
    if open_ones:
        out.print()
        print_escalations(open_ones, Filter())


def place_facts(item: Session) -> list[tuple[str, str]]:
    """Where it works; once that is gone, what has its work."""
    place = item.workspace
    if place is None:
        return []
    facts = [("repository", shown_line(place.repository or "", 400)), ("work", where(item))]
    if place.path is None:
        return facts
    works = shown_line(f"{place.kind} {place.path}", 400)
    return [("workspace", works), ("branch", shown_line(place.branch or "", 200)), *facts]


def _lead(item: Session) -> str:
    """The skill that leads the turn, and the tools that it narrows the session to."""
    if item.lead is None:
        return ""
    allowed = ", ".join(item.lead.tools or ()) or "none"
    tools = "" if item.lead.tools is None else f" (tools: {allowed})"
    return shown_line(f"{item.lead.skill}{tools}", 200)


def _status(item: Session) -> str:
    return item.status + (f" ({shown_line(item.close_reason)})" if item.close_reason else "")
