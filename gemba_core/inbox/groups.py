"""Equal questions of several agents, to be read and answered once."""

from collections.abc import Iterable

from gemba_core.frame.text import deliverable
from gemba_core.index import Escalation, Filter, Index


def grouped(items: Iterable[Escalation]) -> list[list[Escalation]]:
    """Open ones that ask the same together, each group at the place of its first member."""
    groups: dict[object, list[Escalation]] = {}
    for item in items:
        alone = item.state != "open" or item.channel == "notification"
        groups.setdefault((item.session_id, item.id) if alone else _asked(item), []).append(item)
    return list(groups.values())


def with_equals(index: Index, found: list[Escalation]) -> list[Escalation]:
    """These, and every open one that asks the same as one of them.

    A dialog of an agent's own is equal to none: each is about a call of its own.
    """
    asked = {_asked(item) for item in found if item.channel == "tool_call"}
    more = [
        item
        for item in index.escalations(Filter())
        if item.channel == "tool_call" and _asked(item) in asked
    ]
    return list({(item.session_id, item.id): item for item in [*found, *more]}.values())


def _asked(item: Escalation) -> tuple[object, ...]:
    options = tuple(option["value"] for option in item.options)
    return (item.source, item.urgency, deliverable(item.prompt), options)
