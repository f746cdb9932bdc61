"""Equal questions of several agents, to be read and answered once."""

from collections.abc import Iterable

from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import APPROVALS
from gemba_core.index import Escalation, Filter, Index


def grouped(items: Iterable[Escalation]) -> list[list[Escalation]]:
    """Open ones that ask the same together, each group at the place of its first member."""
    groups: dict[object, list[Escalation]] = {}
    for item in items:
        is_grouped = item.state == "open" and _has_equals(item)
        key = _asked(item) if is_grouped else (item.session_id, item.id)
        groups.setdefault(key, []).append(item)
    return list(groups.values())


def with_equals(index: Index, found: list[Escalation]) -> list[Escalation]:
    """These, and every open one that asks the same as one of them.

    A dialog of an agent's own, or an approval, is equal to none: each is about
    an act of its own.
    """
    asked = {_asked(item) for item in found if _has_equals(item)}
    more = [
        item for item in index.escalations(Filter()) if _has_equals(item) and _asked(item) in asked
    ]
    return list({(item.session_id, item.id): item for item in [*found, *more]}.values())


def _has_equals(item: Escalation) -> bool:
    return item.channel == "tool_call" and item.source not in APPROVALS


def _asked(item: Escalation) -> tuple[object, ...]:
    options = tuple(option["value"] for option in item.options)
    return (item.source, item.urgency, deliverable(item.prompt), options)
