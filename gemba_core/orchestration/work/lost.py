"""Claims of agents that are gone: what they left undone is given back, what they did is done."""

from typing import Protocol, runtime_checkable

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.assignment import Assignment, AssignmentStatus
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.orchestration.work.report import pass_on

_GONE = (AssignmentStatus.FAILED, AssignmentStatus.CANCELED)


@runtime_checkable
class Remembering(OrchestrationPlaneAdaptor, Protocol):
    """An adaptor that knows of an assignment for as long as it is on record."""

    async def read_assignment(self, assignment_id: str) -> Assignment | None:
        """That one, however long it has been over, or None."""
        ...


async def settle_lost(plane: OrchestrationPlaneAdaptor, work: WorkPlane) -> tuple[WorkItem, ...]:
    """Settle what is claimed for assignments that are over: done, or ready again.

    A dispatch does so by itself, unless it is killed. What is claimed for an
    assignment that finished without a word, or that this plane does not know
    (any more, if it is not Remembering), stays: a person decides. Gives the
    items that changed. Raises AdaptorError, LogError.
    """
    claimed = [item for item in await work.list_items() if item.claim]
    known = await _assignments(plane, [str(item.claim) for item in claimed])
    settled = []
    for item in claimed:
        assignment = known.get(str(item.claim))
        if assignment is None:
            continue
        if assignment.session_id and assignment.ended_at:
            item = await pass_on(work, item, assignment.session_id)
        if item.state_category is StateCategory.STARTED and assignment.status in _GONE:
            item = await work.release(item.id, item.claim)
        if item.state_category is not StateCategory.STARTED:
            settled.append(item)
    return tuple(settled)


async def _assignments(plane: OrchestrationPlaneAdaptor, ids: list[str]) -> dict[str, Assignment]:
    if isinstance(plane, Remembering):
        found = [await plane.read_assignment(id) for id in ids]
        return {one.id: one for one in found if one is not None}
    return {one.id: one for one in (await plane.observed_state()).assignments}
