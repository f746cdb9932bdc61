"""Claims of agents that are gone: what they left undone is given back, what they did is done."""

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.assignment import AssignmentStatus
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.orchestration.work.report import pass_on

_GONE = (AssignmentStatus.FAILED, AssignmentStatus.CANCELED)


async def settle_lost(plane: OrchestrationPlaneAdaptor, work: WorkPlane) -> tuple[WorkItem, ...]:
    """Settle what is claimed for assignments that are over: done, or ready again.

    A dispatch does so by itself, unless it is killed. What is claimed for an
    assignment that finished without a word, or that this plane does not know,
    stays: a person decides. Gives the items that changed. Raises AdaptorError,
    LogError.
    """
    seen = {one.id: one for one in (await plane.observed_state()).assignments}
    settled = []
    for item in await work.list_items():
        assignment = seen.get(item.claim or "")
        if assignment is None:
            continue
        if assignment.session_id and assignment.ended_at:
            item = await pass_on(work, item, assignment.session_id)
        if item.state_category is StateCategory.STARTED and assignment.status in _GONE:
            item = await work.release(item.id, item.claim)
        if item.state_category is not StateCategory.STARTED:
            settled.append(item)
    return tuple(settled)
