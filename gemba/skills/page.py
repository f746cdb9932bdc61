"""Skills for a person: the table of them, and the page of one."""

import os
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from gemba.render import console, print_facts, yielding
from gemba.skills.listed import Listed
from gemba_core.frame.text import shown, shown_line

_WIDEST = 40
_NARROWEST = 20
_GAP = 2
_STYLES = {"active": "", "broken": "red"}


def print_skills(found: Sequence[Listed]) -> None:
    """The table."""
    out = console()
    if not found:
        out.print("No skills. Write one: gemba skills new NAME --variety coach")
        return
    rows = [_row(one) for one in found]
    table = Table(box=None, pad_edge=False, header_style="dim")
    # Told, not measured: measuring thousands of rows takes longer than printing them.
    left = out.width
    for name, *cells in zip(("NAME", "VARIETY", "STATE", "FROM"), *rows, strict=False):
        width = min(_WIDEST, max(Text(name).cell_len, *(cell.cell_len for cell in cells)))
        table.add_column(name, width=width, no_wrap=True)
        left -= width + _GAP
    table.add_column("DESCRIPTION", width=max(_NARROWEST, left))
    for row in rows:
        table.add_row(*row)
    out.print(table)


def _row(one: Listed) -> tuple[Text, ...]:
    skill = one.skill
    return (
        yielding(skill.id),
        yielding(skill.variety or ""),
        Text(one.state, style=_STYLES.get(one.state, "yellow")),
        yielding(skill.source),
        _description(one),
    )


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
