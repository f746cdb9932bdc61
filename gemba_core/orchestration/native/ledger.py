"""What is on record of the assignments that we keep, and putting more there.

Everything here reads and writes files, and takes milliseconds: call it in a
thread. Errors of the layers below become the contract's own.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from gemba_core.errors import (
    AlreadySettled,
    GembaError,
    IndexUnusable,
    NotFound,
    PaneError,
    Refused,
    UsageError,
)
from gemba_core.home import log_path, safe_id
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Index
from gemba_core.log import append
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.translator import SessionState
from gemba_core.translator.state import Plane

T = TypeVar("T")

Choose = Callable[[SessionState, Plane], bytes]

_KINDS: tuple[tuple[type[GembaError], ErrorKind], ...] = (
    (NotFound, ErrorKind.SESSION_NOT_FOUND),
    (AlreadySettled, ErrorKind.VALIDATION),
    (UsageError, ErrorKind.VALIDATION),
    (Refused, ErrorKind.CAPABILITY_DENIED),
    (IndexUnusable, ErrorKind.ADAPTOR_DEGRADED),
    (PaneError, ErrorKind.ADAPTOR_DEGRADED),
)


@contextmanager
def boundary(otherwise: ErrorKind = ErrorKind.REQUEST_FAILED) -> Iterator[None]:
    """Whatever fails within is an AdaptorError, of that kind where it has none of its own."""
    try:
        yield
    except AdaptorError:
        raise
    except GembaError as error:
        kind = next((kind for type, kind in _KINDS if isinstance(error, type)), None)
        raise AdaptorError(kind or otherwise, str(error), cause=error) from error
    except OSError as error:
        raise AdaptorError(otherwise, str(error), cause=error) from error


def ask(action: Callable[[Index], T]) -> T:
    """What the index answers, caught up. Raises AdaptorError."""
    with boundary():
        return use_index(action)


def begin(id: str, line: bytes) -> None:
    """A new assignment, with its first line. Raises AdaptorError."""
    with boundary():
        append(log_path(id), line)


def read(id: str, what: str) -> SessionState:
    """That assignment as it stands. Raises AdaptorError session_not_found, naming `what`."""
    return ask(lambda index: _known(index, id, what))


def kept(*, ended: bool = False) -> list[SessionState]:
    """All of them, those that ended only if asked for. Raises AdaptorError."""
    return ask(lambda index: index.kept(ended=ended))


def append_if(id: str, choose: Choose, what: str = "session") -> SessionState:
    """Under the log's lock, append what `choose` gives for the state as it is then.

    Nothing, if that is empty. What `choose` raises passes. Gives the state
    afterwards. Raises AdaptorError; session_not_found names `what`.
    """

    def chosen(state: SessionState) -> bytes:
        assert state.plane is not None
        return choose(state, state.plane)

    def written(index: Index) -> SessionState:
        _known(index, id, what)
        with open_journal(index, id) as journal:
            journal.append_if(chosen)
            index.catch_up([safe_id(id)])
            return journal.state

    return ask(written)


def _known(index: Index, id: str, what: str) -> SessionState:
    folded = index.folded(id)
    if folded is None or folded[0].plane is None:
        raise not_found(what, id)
    return folded[0]
