"""Holding a work item for one agent, until it has a session or the time is over.

For adaptors: `claim_next_ready` is this, with their own record of reservations.
"""

from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta

from gemba_core import home
from gemba_core.orchestration.assignment import Reservation
from gemba_core.orchestration.scope import new_assignment_id
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.lock import held

TTL = 300.0


async def reserve(
    *,
    ready: Callable[[], Awaitable[Iterable[WorkItem]]],
    is_reserved: Callable[[str], bool],
    record: Callable[[Reservation], None],
    agent_id: str,
    ttl: float = TTL,
) -> Reservation | None:
    """Reserve the first item that is ready and that nobody has reserved, for `ttl` seconds.

    All of it under one lock of the home's, so that of all processes one at a
    time reads and records. `is_reserved` is asked, by the item's id, whether a
    record of it holds: one whose `expires_at` is past does not, and thereby
    returns by itself. What is recorded counts, whatever happens to us after it.
    Raises AdaptorError, and what the three callables raise.
    """
    async with held(home.reservations_lock_path()):
        for item in await ready():
            if not is_reserved(item.id):
                made = _reservation(item.id, agent_id, ttl)
                record(made)
                return made
    return None


def _reservation(work_item_id: str, agent_id: str, ttl: float) -> Reservation:
    id = new_assignment_id(agent_id)
    return Reservation(
        id=id,
        work_item_id=work_item_id,
        agent_id=agent_id,
        expires_at=datetime.now(UTC) + timedelta(seconds=ttl),
        nonce=ConfirmNonce(id),
    )
