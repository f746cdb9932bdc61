"""`/api/sessions`: what each agent is doing, its log, and a look into its pane."""

import os
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from gemba.web.operator import Acting
from gemba.web.problem import CONFLICT, NOT_FOUND
from gemba.web.shapes import LogLine, LogPage, answers, json
from gemba.web.words import SessionId
from gemba_core import home
from gemba_core.frame.line import MAX_INPUT
from gemba_core.inbox.find import find_session
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.peek import Peek
from gemba_core.inbox.peek import peek as look
from gemba_core.inbox.send import send as typed
from gemba_core.index import Index, Session
from gemba_core.tail import BadLine, Line, lines, open_log

_MOST = 500
_USUAL = 100

# A session's id may hold slashes; the longer paths are tried first.
router = APIRouter(prefix="/api/sessions", tags=["sessions"])


@router.get("", responses=answers(Session, many=True))
def list_() -> Response:
    """All sessions, those that changed last first."""
    return json(use_index(lambda index: index.sessions()))


@router.get("/{id:path}/peek", responses=answers(Peek) | NOT_FOUND)
def peek(id: SessionId) -> Response:
    """What stands in the session's pane now, or why that is not to be seen."""
    return json(use_index(lambda index: look(index, id)))


@router.get("/{id:path}/log", responses=answers(LogPage) | NOT_FOUND)
def log(
    id: SessionId,
    after: Annotated[int, Query(ge=0, lt=1 << 53, description="An offset in bytes.")] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST)] = _USUAL,
) -> Response:
    """The frames of the session as they stand, oldest first; `after` is a `next_after`."""
    use_index(lambda index: find_session(index, id))
    fd = open_log(home.log_path(id))
    if fd is None:
        return json(LogPage([], after))
    try:
        found = list(islice(_of(id, lines(fd, after)), limit))
    finally:
        os.close(fd)
    end = after if not found else found[-1].offset + len(found[-1].data) + 1
    return json(LogPage([_plain(line) for line in found], end))


class Typed(BaseModel):
    """A prompt of the operator's."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(min_length=1, max_length=MAX_INPUT)


@router.post("/{id:path}/send", responses=answers(Session) | NOT_FOUND | CONFLICT)
def send(id: SessionId, given: Typed, actor: Acting) -> Response:
    """Type a prompt into the pane of an idle agent, and submit it. It settles no question."""

    def run(index: Index) -> Session:
        typed(index, id, given.text, actor=actor)
        return find_session(index, id)

    return json(use_index(run))


@router.get("/{id:path}", responses=answers(Session) | NOT_FOUND)
def show(id: SessionId) -> Response:
    """One session."""
    return json(use_index(lambda index: find_session(index, id)))


def _of(session_id: str, all_lines: Iterator[Line]) -> Iterator[Line]:
    """Its frames, and what is none: two sessions may share a log."""
    for line in all_lines:
        if isinstance(line.found, BadLine) or line.found.session_id == session_id:
            yield line


def _plain(line: Line) -> LogLine:
    if isinstance(line.found, BadLine):
        return LogLine(line.offset, None, line.found.why)
    try:
        return LogLine(line.offset, msgspec.json.decode(line.data, type=dict[str, Any]), None)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        return LogLine(line.offset, None, f"its payload cannot be read: {error}")
