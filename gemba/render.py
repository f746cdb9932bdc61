"""Tables and pages for people. Text from agents is shown without control characters."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gemba.asked import asked, command_lines
from gemba.output import write
from gemba_core.expiry import is_claimed, is_past
from gemba_core.frame.moment import ago
from gemba_core.frame.text import one_line, shown, shown_line
from gemba_core.frame.vocabulary import RESOLVED_AS
from gemba_core.inbox.groups import grouped
from gemba_core.index import Escalation, Filter

SHORT = 8
_STYLES = {"blocking": "bold red", "advisory": "yellow"}
_GAP = 2
# A table's columns that yield where the terminal is narrow, in their order, and the cells that its
# last column is to have instead; and those that are cut, with the cells that each of them needs,
# and gets at most.
_YIELDS = {
    "WORK ITEM": 24,
    "KIND": 24,
    "ASKED": 24,
    "URGENCY": 10,
    "SESSION": 10,
    "STATE": 10,
}
_CUTS = {"SESSION": (8, 24), "WORK ITEM": (9, 14), "TITLE": (10, None)}

Cells = dict[str, Text]
Cuts = Mapping[str, tuple[int, int | None]]


class _Console(Console):
    """Prints no blanks at the ends of lines, which tables fill up."""

    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as captured:
            super().print(*objects, **options)
        lines = captured.get().split("\n")
        write("\n".join(line.rstrip(" ") for line in lines).encode())


def console() -> Console:
    """A console that keeps whole lines when its output is read by a program."""
    made = _Console(highlight=False, emoji=False, markup=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = 160
    return made


def state_of(item: Escalation) -> str:
    """What a person calls its state: open, answered, denied, deferred, canceled, expired."""
    return RESOLVED_AS[item.resolution.kind] if item.resolution else item.state


def print_escalations(escalations: Sequence[Escalation], chosen: Filter) -> None:
    """The table of the inbox."""
    out = console()
    if not escalations:
        only_open = chosen.states == ("open",)
        out.print("Nothing is open." if only_open else "No escalation matches.")
        return
    hidden = {"STATE"} if chosen.states == ("open",) else set()
    if not any(item.work_item_id for item in escalations):
        hidden.add("WORK ITEM")
    rows = [_row(*one) for one in _in_groups(escalations)]
    kept = [{name: row[name] for name in row if name not in hidden} for row in rows]
    out.print(fitting(kept, _YIELDS, _CUTS, out.width))


def _row(item: Escalation, equal_to: str | None) -> Cells:
    """Its cells by their columns."""
    return {
        "ID": Text(item.id[:SHORT]),
        "URGENCY": Text(item.urgency, style=_STYLES[item.urgency]),
        "ASKED": Text(ago(item.created_at)),
        "STATE": Text(state_of(item)),
        "SESSION": yielding(item.session_id),
        "KIND": Text(item.source),
        "WORK ITEM": yielding(item.work_item_id or ""),
        "TITLE": yielding(
            f"″ asks the same as {equal_to[:SHORT]}" if equal_to else _headline(item)
        ),
    }


def fitting(rows: Sequence[Cells], yields: Mapping[str, int], cut: Cuts, width: int) -> Table:
    """The table of at least one row, with as many of the columns as leave its last one room."""
    needs = {
        name: cut[name][0] if name in cut else max(len(name), *(len(row[name]) for row in rows))
        for name in rows[0]
    }
    *_, last = needs
    for name, room in yields.items():
        if sum(needs.values()) - needs[last] + room + _GAP * (len(needs) - 1) > width:
            needs.pop(name, None)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in needs:
        most = cut[name][1] if name in cut else None
        table.add_column(name, no_wrap=name not in cut, max_width=most)
    for row in rows:
        table.add_row(*(row[name] for name in needs))
    return table


def _in_groups(escalations: Sequence[Escalation]) -> Iterator[tuple[Escalation, str | None]]:
    """Each of them; with one that asks the same as another above it, that one's id."""
    for first, *others in grouped(escalations):
        yield first, None
        yield from ((other, first.id) for other in others)


def _headline(item: Escalation) -> str:
    """Its title, and what an operator should know before taking it up."""
    remarks = []
    count = command_lines(item)
    if count > 1:
        remarks.append(f"{count} lines")
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
    # A wrapped command would look like one of several lines: the terminal itself breaks it.
    out.print(_headed(item), soft_wrap=item.source == "permission_prompt")
    out.print()
    for option in item.options:
        label = "" if option["label"] == option["value"] else f"  {shown_line(option['label'])}"
        out.print(Text(f"  [{shown_line(option['value'])}]{label}"))
    if item.options:
        out.print()
    print_facts(out, _facts(item))


def _headed(item: Escalation) -> Text:
    """What it asks, below its title where that is not the text's own first line."""
    text = Text("\n").join(Text(line, style) for line, style in asked(item))
    if one_line(item.title) == one_line(item.prompt):
        text.stylize("bold", 0, len(text.plain.partition("\n")[0]))
        return text
    return Text.assemble((shown(item.title), "bold"), "\n\n", text)


def yielding(text: str) -> Text:
    """A cell that is cut where the terminal is narrow, so that ids and states never are.

    Its column may not be `no_wrap`: rich narrows all of those alike.
    """
    return Text(shown_line(text, 200), no_wrap=True, overflow="ellipsis")


def _facts(item: Escalation) -> list[tuple[str, str]]:
    facts = [
        ("id", item.id),
        ("state", state_of(item) + (f" ({shown_line(item.reason)})" if item.reason else "")),
        ("urgency", item.urgency),
        ("kind", f"{item.source} ({item.role})" if item.role else item.source),
        ("session", shown_line(f"{item.session_id} ({item.agent_type})", 200)),
        ("work item", shown_line(item.work_item_id or "")),
        ("asked", f"{ago(item.created_at)} ({item.created_at})"),
        ("asked in all", f"{item.asked_count} times" if item.asked_count > 1 else ""),
        ("deadline", f"{item.deadline} ({item.on_expiry})" if item.deadline else ""),
        ("claimed", f"by {item.claimed_by} until {item.claimed_until}" if is_claimed(item) else ""),
        ("typed in the pane meanwhile", shown_line(item.possible_reply or "", 200)),
    ]
    done = item.resolution
    if done is not None:
        facts.append(("answer", shown(done.value or "")))
        facts.append(
            ("by", f"{shown_line(done.resolved_by)} via {done.via}, {ago(done.resolved_at)}")
        )
    if item.delivery is not None:
        detail = f": {shown_line(item.delivery.detail, 200)}" if item.delivery.detail else ""
        facts.append(("delivery", f"{item.delivery.status}{detail}"))
    return facts


def print_facts(out: Console, facts: list[tuple[str, str]]) -> None:
    """A page of names and values; an empty value has no line."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        if value:
            table.add_row(name, Text(shown(value)))
    out.print(table)
