"""What a notification says. Texts by agents go out without control characters."""

from collections.abc import Sequence
from dataclasses import dataclass

from gemba_core.attention.rule import Rule
from gemba_core.frame.text import shown, shown_line
from gemba_core.index import Escalation

_LISTED = 20
_LONGEST_TEXT = 1_000


@dataclass(frozen=True, slots=True)
class Message:
    """A headline, the rest, and whether an agent stands still."""

    title: str
    body: str
    is_urgent: bool


def message(rule: Rule, items: Sequence[Escalation]) -> Message:
    """One for all of them; one alone may have its whole text."""
    blocking = sum(item.urgency == "blocking" for item in items)
    if len(items) == 1:
        return Message(_title(items[0]), _page(items[0], whole=rule.text), bool(blocking))
    counts = f"{len(items)} open" + (f", {blocking} blocking" if blocking else "")
    lines = [_line(item) for item in items[:_LISTED]]
    if len(items) > _LISTED:
        lines.append(f"… and {len(items) - _LISTED} more")
    lines += ["", "gemba escalations list"]
    return Message(f"Gemba: {counts}", "\n".join(lines), bool(blocking))


def trial(rule: Rule) -> Message:
    """To see whether it arrives."""
    return Message("Gemba: a test", f"The rule {rule.name} reaches you here.", is_urgent=False)


def _title(item: Escalation) -> str:
    return f"Gemba, {item.urgency}: {shown_line(item.title, 100)}"


def _line(item: Escalation) -> str:
    session = shown_line(item.session_id, 40)
    return f"{item.id[:8]}  {item.urgency}  {session}  {shown_line(item.title)}"


def _page(item: Escalation, *, whole: bool) -> str:
    facts = [
        f"session: {shown_line(item.session_id)} ({shown_line(item.agent_type)})",
        f"kind: {item.source}" + (f" ({item.role})" if item.role else ""),
    ]
    if item.work_item_id:
        facts.append(f"work item: {shown_line(item.work_item_id)}")
    if item.deadline:
        facts.append(f"until: {item.deadline}")
    text = shown(item.prompt)
    if whole and text != shown_line(item.title, len(text)):
        cut = text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
        facts = [cut, "", *facts]
    return "\n".join([*facts, "", f"gemba escalations show {item.id[:8]}"])
