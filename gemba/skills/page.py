"""Skills for a person: the table of them, and the page of one."""

import os
from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from gemba.render import Cells, console, print_facts, yielding
from gemba.skills.listed import Listed
from gemba_core.frame.text import shown, shown_line

# Cells of the longest name that is told whole; and never more than half of the terminal.
_WIDEST = 40
_GAP = 2
# The columns that yield where the terminal is narrow, in their order, and the cells that the
# description is to have instead.
_YIELDS = {"FROM": 24, "VARIETY": 24, "STATE": 10}
_STYLES = {"active": "", "broken": "red"}


def print_skills(found: Sequence[Listed]) -> None:
    """The table."""
    out = console()
    if not found:
        out.print("No skills. Write one: gemba skills new NAME --variety coach")
        return
    rows = [_row(one) for one in found]
    widths = _widths(rows, out.width)
    table = Table(box=None, pad_edge=False, header_style="dim")
    # Told, not measured: measuring thousands of rows takes longer than printing them.
    for name, width in widths.items():
        table.add_column(name, width=width)
    for row in rows:
        table.add_row(*(row[name] for name in widths))
    out.print(table)


def _widths(rows: Sequence[Cells], whole: int) -> dict[str, int]:
    """The columns that are shown, each with its cells; the last one has what is left."""
    *names, last = rows[0]
    most = min(_WIDEST, whole // 2)
    widths = {
        name: min(most, max(len(name), *(row[name].cell_len for row in rows))) for name in names
    }
    for name, room in _YIELDS.items():
        if _left(widths, whole) < room:
            del widths[name]
    return {**widths, last: _left(widths, whole)}


def _left(widths: Mapping[str, int], whole: int) -> int:
    return whole - sum(widths.values()) - _GAP * len(widths)


def _row(one: Listed) -> Cells:
    """Its cells by their columns."""
    skill = one.skill
    return {
        "NAME": yielding(skill.id),
        "VARIETY": yielding(skill.variety or ""),
        "STATE": Text(one.state, style=_STYLES.get(one.state, "yellow")),
        "FROM": yielding(skill.source),
        "DESCRIPTION": _description(one),
    }


def print_skill(item: Listed, body: str, *, alias: str) -> None:
    """What it says of itself, and its body."""
    skill = item.skill
    out = console()
    facts = [
        ("name", shown_line(skill.id, 200)),
        ("found as", shown_line(f"{alias} (an alias)") if alias in skill.aliases else ""),
        ("variety", shown_line(skill.variety or "")),
        ("state", item.state),
        ("use instead", shown_line(skill.replaced_by or "")),
        ("aliases", shown_line(", ".join(skill.aliases), 200)),
        ("narrows tools to", _tools(item)),
        ("path", shown_line(skill.path, 1000)),
        ("description", shown(skill.description)),
    ]
    print_facts(out, facts)
    out.print()
    out.print(Text(shown(body)))


def _description(one: Listed) -> Text:
    skill = one.skill
    if skill.problem:
        # Not cut: it says what to mend.
        return Text(shown_line(f"{_short(skill.path)}: {skill.problem}", 400))
    if one.shadowed_by:
        return yielding(f"{_short(skill.path)}: found first is {_short(one.shadowed_by)}")
    if skill.lifecycle in ("deprecated", "removed") and skill.replaced_by:
        return yielding(f"(use {skill.replaced_by}) {skill.description}")
    return yielding(skill.description)


def _short(path: str) -> str:
    """As seen from the current folder, where it lies within."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def _tools(item: Listed) -> str:
    tools = item.skill.tools
    return "" if tools is None else shown_line(", ".join(tools), 200) or "none"
