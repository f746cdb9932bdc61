"""A work item, as far as giving it to an agent is concerned.

Everything else about it is its plane's own business.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gemba_core.orchestration.session import ConfirmNonce

PRIORITIES = range(5)
DEFAULT_PRIORITY = 2


class StateCategory(StrEnum):
    """What a plane's own status comes to. `waiting`: neither to be claimed nor claimed."""

    READY = "ready"
    STARTED = "started"
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One piece of work.

    status      the plane's own word for its state
    priority    0 is the most urgent, 4 the least
    repository  where it is done: an absolute path, or whatever its plane calls it
    assignee    the agent or person that has it
    claim       the nonce of the claim that holds it; None where it is claimed in another way
    """

    id: str
    title: str
    status: str
    state_category: StateCategory
    created_at: datetime
    description: str = ""
    kind: str = "task"
    priority: int = DEFAULT_PRIORITY
    labels: tuple[str, ...] = ()
    repository: str | None = None
    sprint_id: str | None = None
    assignee: str | None = None
    claim: ConfirmNonce | None = None
