"""The table of `gemba notify list`."""

from collections.abc import Sequence

from rich.table import Table

from gemba.render import console, yielding
from gemba_core.attention.rule import Rule
from gemba_core.frame.moment import ago


def print_rules(rules: Sequence[Rule], told: Sequence[dict[str, object]]) -> None:
    """A row for each rule; its address is never shown, only where it is found."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("RULE", "TO", "ABOUT", "WHEN", "LAST SENT", "TROUBLE"):
        table.add_column(name)
    for rule, one in zip(rules, told, strict=True):
        last = one["last_sent"]
        table.add_row(
            rule.name,
            yielding(str(one["to"])),
            yielding(_about(rule)),
            yielding(_when(rule)),
            ago(str(last)) if last else "never",
            _trouble(one),
        )
    console().print(table)


def _about(rule: Rule) -> str:
    words = (*rule.urgency, *rule.role, *rule.source, *rule.session)
    return ", ".join(words) or "everything"


def _when(rule: Rule) -> str:
    parts = [f"after {_time(rule.after)}" if rule.after else "at once"]
    if rule.repeat:
        parts.append(f"again every {_time(rule.repeat)}, {rule.most} times")
    if rule.at_most_every:
        parts.append(f"at most every {_time(rule.at_most_every)}")
    if rule.digest:
        parts.append(f"gathered for {_time(rule.digest)}")
    if rule.quiet:
        parts.append(f"not {rule.quiet.begins:%H:%M}-{rule.quiet.ends:%H:%M}")
    return "; ".join(parts)


def _time(seconds: float) -> str:
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds:g}s"


def _trouble(one: dict[str, object]) -> str:
    parts = []
    if one["failures"]:
        parts.append(f"failed {one['failures']} times")
    if one["uncertain"]:
        parts.append(f"{one['uncertain']} uncertain")
    return ", ".join(parts)
