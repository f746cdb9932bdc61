"""The page of `gemba stats`: bars for what is open, sparklines for the days."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from gemba.render import console, yielding
from gemba_core.inbox.stats import Age, Pace, Stats

_BLOCKS = "▁▂▃▄▅▆▇█"
_WIDTH = 30
_MOST_SESSIONS = 10


def print_stats(found: Stats) -> None:
    """All of it; what is empty is said in words."""
    out = console()
    _heading("Open, by age")
    out.print(_ages(found.open) if _is_any_open(found.open) else Text("Nothing is open."))
    first, last = found.days[0].name, found.days[-1].name
    _heading(f"By day, {first} to {last}")
    if not found.total.asked:
        out.print("Nothing was asked.")
        return
    out.print(_days(found.days))
    _heading("Time to a person's answer")
    out.print(_paces([found.total], found.roles, found.sessions[:_MOST_SESSIONS]))
    if len(found.sessions) > _MOST_SESSIONS:
        out.print(f"… and {len(found.sessions) - _MOST_SESSIONS} sessions more: --json has them")
    if found.surfaces:
        _heading("Answers, by surface")
        table = _table()
        most = max(one.answers for one in found.surfaces)
        for one in found.surfaces:
            table.add_row(one.via, str(one.answers), Text(_bar(one.answers, most), style="green"))
        out.print(table)


def duration(seconds: float | None) -> str:
    """`4s`, `12m`, `3.5h`; a dash for none."""
    if seconds is None:
        return "-"
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds / size:.1f}".removesuffix(".0") + unit
    return f"{seconds:.0f}s"


def sparkline(values: Sequence[float | None]) -> str:
    """One sign a value, from the least to the most; a blank for none."""
    most = max((value for value in values if value), default=0)
    steps = len(_BLOCKS) - 1
    return "".join(
        " " if value is None or not most else _BLOCKS[round(value / most * steps)]
        for value in values
    )


def _heading(text: str) -> None:
    console().print(Text(f"\n{text}", style="bold"))


def _is_any_open(ages: Sequence[Age]) -> bool:
    return any(age.blocking or age.advisory for age in ages)


def _ages(ages: Sequence[Age]) -> Table:
    table = _table()
    most = max(age.blocking + age.advisory for age in ages)
    for age in ages:
        bar = Text(_bar(age.blocking, most), style="red")
        bar.append(_bar(age.advisory, most), style="yellow")
        counts = f"{age.blocking} blocking, {age.advisory} advisory"
        name = age.up_to if age.up_to == "older" else f"≤ {age.up_to}"
        table.add_row(name, counts if age.blocking or age.advisory else "", bar)
    return table


def _days(days: Sequence[Pace]) -> Table:
    table = _table()
    asked, answered = sum(day.asked for day in days), sum(day.answered for day in days)
    medians = [day.median for day in days]
    slowest = duration(max((one for one in medians if one is not None), default=None))
    table.add_row("asked", str(asked), Text(sparkline([day.asked for day in days])))
    table.add_row("answered", str(answered), Text(sparkline([day.answered for day in days])))
    table.add_row("median", f"up to {slowest}", Text(sparkline(medians)))
    return table


def _paces(*groups: Sequence[Pace]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for name in ("ASKED", "ANSWERED", "MEDIAN", "P90"):
        table.add_column(name, justify="right")
    for pace in (pace for group in groups for pace in group):
        table.add_row(
            yielding(pace.name),
            str(pace.asked),
            str(pace.answered),
            duration(pace.median),
            duration(pace.p90),
        )
    return table


def _table() -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right")
    table.add_column()
    return table


def _bar(value: int, most: int) -> str:
    """At least one sign where there is anything."""
    return "█" * max(round(value / most * _WIDTH), 1) if value and most else ""
