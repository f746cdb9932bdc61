"""The contract with whatever keeps the work items.

Where it and an OrchestrationPlane disagree about an item, this one is right.
Source: spec 003, "Scope" and "Assignment protocol (canonical: pull)".
"""

from typing import Protocol

from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.item import StateCategory, WorkItem


class WorkPlane(Protocol):
    """Where work items are.

    Rules for all methods: errors are AdaptorError and nothing else; an id that
    is unknown is session_not_found; concurrent calls, in one event loop and in
    several processes, are safe. A call that is cancelled is over when the
    cancellation is seen: whether it did anything, `release` under its nonce
    undoes it.
    """

    async def list_ready(self, filter: ReadyFilter) -> tuple[WorkItem, ...]:
        """What can be claimed: the most urgent first, then the oldest."""
        ...

    async def list_items(self, *, done: bool = False) -> tuple[WorkItem, ...]:
        """Everything, in the same order; what is done only if that is asked for."""
        ...

    async def read(self, work_item_id: str) -> WorkItem:
        """That item as it stands. Errors: session_not_found."""
        ...

    async def claim(self, work_item_id: str, agent_id: str, nonce: ConfirmNonce) -> WorkItem:
        """Start it for that agent. Of concurrent claims of one item exactly one succeeds.

        The nonce names the claim: again, while it holds, it is a no-op. Errors:
        session_not_found; session_closed, as `taken` makes it, where the item
        cannot be claimed; validation where the nonce was another item's.
        """
        ...

    async def release(self, work_item_id: str, nonce: ConfirmNonce | None = None) -> WorkItem:
        """Make it ready again, whose claim under that nonce it is; without one, whoever has it.

        A no-op where the item is not held so. Errors: session_not_found.
        """
        ...

    async def complete(
        self, work_item_id: str, nonce: ConfirmNonce | None = None, reason: str = ""
    ) -> WorkItem:
        """It is done, if it is held under that nonce; without one, whoever has it.

        A no-op where the item is not held so, or done. Errors: session_not_found.
        """
        ...


def taken(item: WorkItem) -> AdaptorError:
    """Somebody else has it, or it is done; `detail["work_item"]` says how it stands."""
    who = f", {item.assignee} has it" if item.assignee else ""
    told = f"{item.id} cannot be claimed: it is {item.status}{who}"
    return AdaptorError(ErrorKind.SESSION_CLOSED, told, detail={"work_item": wire(item)})


def order(item: WorkItem) -> tuple[int, str]:
    """The key by which ready items are offered."""
    return item.priority, item.created_at.isoformat()


def is_held(item: WorkItem, nonce: ConfirmNonce | None) -> bool:
    """Whether it is started, and under that nonce if one is given."""
    return item.state_category is StateCategory.STARTED and nonce in (None, item.claim)
