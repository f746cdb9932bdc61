"""From what a person names to what is put to the test."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.metadata import entry_points
from typing import Any

from gemba_core.errors import UsageError
from gemba_core.orchestration import adaptors
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.testing.subject import Subject

# Beside the group of the adaptors: under the same name, the class of an adaptor's subject.
GROUP = "gemba.conformance"


class Plain(Subject):
    """An adaptor that came without a subject: nothing is overridden."""

    def __init__(self, open: adaptors.Open) -> None:
        self._open = open

    def adaptor(self) -> AbstractAsyncContextManager[OrchestrationPlaneAdaptor]:
        return self._open()


def subject_of(target: str) -> Subject:
    """The subject of that name.

    `target` is an installed adaptor, which may have a subject in the entry
    points `gemba.conformance`, or MODULE:NAME of a subject's class or of what
    opens an adaptor. Raises NotFound and AdaptorError as `adaptors.find`,
    AdaptorError for what cannot be opened, and UsageError for what is none of these.
    """
    found: Any = adaptors.find(target)
    for point in entry_points(group=GROUP, name=target):
        found = adaptors.loaded(point)
    if isinstance(found, type) and issubclass(found, Subject):
        return _made(target, found)
    if not callable(found) or not isinstance(_opened(target, found), AbstractAsyncContextManager):
        raise UsageError(f"{target}: neither opens an adaptor nor is a Subject")
    return Plain(found)


def _opened(target: str, opens: Callable[[], object]) -> object:
    """What it gives, which is not entered."""
    try:
        return opens()
    except Exception as error:
        # Somebody else's code runs here: whatever it raises, each probe would fail by it.
        raise AdaptorError(
            ErrorKind.PROCESS_FAILED, f"{target}: cannot be opened: {error}", cause=error
        ) from error


def _made(target: str, kind: type[Subject]) -> Subject:
    try:
        return kind()
    except Exception as error:
        # Somebody else's code runs here: whatever it raises, there is no subject.
        raise UsageError(f"{target}: this subject cannot be made: {error}") from error
