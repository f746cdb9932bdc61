"""Which agent a message is from, as the counts know it."""

from collections.abc import Sequence
from dataclasses import dataclass

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.history import History
from gemba_core.handoff.parse import Returned
from gemba_core.handoff.validate import Context


@dataclass(frozen=True, slots=True)
class Sender:
    """Who has returned the message at `index`.

    agent_id  as it says itself, or as it was expected; None where neither is so
    place     its place in the order of dispatch: `?1`
    key       what its counts go by: its id; else that of the agent which was last sent back for
              repair from this place; else the place
    """

    index: int
    agent_id: str | None
    place: str
    key: str


def senders(contracts: Sequence[Returned], history: History, context: Context) -> list[Sender]:
    """Each agent once, in the order of dispatch; of two contracts of one the later one counts."""
    latest: dict[str | int, int] = {}
    for index, one in enumerate(contracts):
        latest[_told(one) or index] = index
    found = []
    for number, index in enumerate(latest.values(), 1):
        place = f"?{number}"
        agent_id = _told(contracts[index]) or context.agent_id
        expected = history.places.get(place, place)
        # Who has returned by its own id is not also the one that has not told it.
        key = agent_id or (place if expected in latest else expected)
        found.append(Sender(index, agent_id, place, key))
    return found


def _told(returned: Returned) -> str | None:
    return returned.agent_id if isinstance(returned, Contract) else None
