"""`/api/work`: the work items, to be read. They are there without any agent runtime."""

import os
from typing import Annotated

from fastapi import APIRouter, Path, Response

from gemba.web.orchestration import as_json, described
from gemba.web.problem import FAILED, NOT_FOUND
from gemba_core.orchestration.work.binding import bound
from gemba_core.orchestration.work.item import WorkItem

router = APIRouter(prefix="/api/work", tags=["work"], responses=FAILED)


@router.get("", responses=described(tuple[WorkItem, ...]))
async def list_(done: bool = False) -> Response:
    """The work items, the most urgent first; those that are done only if asked for."""
    return as_json(await bound(os.getcwd()).list_items(done=done))


@router.get("/{id:path}", responses=described(WorkItem) | NOT_FOUND)
async def show(id: Annotated[str, Path(min_length=1, max_length=1000)]) -> Response:
    """One work item."""
    return as_json(await bound(os.getcwd()).read(id))
