"""The adaptors that are installed: entry points of the group `gemba.adaptors`.

An entry point names a callable without arguments that gives an async context
manager; within it the adaptor lives.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from gemba_core.errors import NotFound
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.error import AdaptorError, ErrorKind

GROUP = "gemba.adaptors"

Open = Callable[[], AbstractAsyncContextManager[OrchestrationPlaneAdaptor]]


def names() -> list[str]:
    """The names of all that are installed, sorted."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def find(name: str) -> Open:
    """How to open the adaptor of that name.

    `name` may also be MODULE:CALLABLE, for one that is not installed. Raises
    NotFound, and AdaptorError where it can't be loaded.
    """
    if ":" in name:
        return cast(Open, loaded(EntryPoint(name, name, GROUP)))
    for point in entry_points(group=GROUP):
        if point.name == name:
            return cast(Open, loaded(point))
    known = ", ".join(names()) or "none"
    raise NotFound(f"{name!r}: no such adaptor; installed: {known}; or give MODULE:CALLABLE")


def loaded(point: EntryPoint) -> Any:
    """What the entry point names. Raises AdaptorError where it can't be loaded."""
    try:
        return point.load()
    except Exception as error:
        # Somebody else's code runs here: whatever it raises, the adaptor is not to be had.
        raise AdaptorError(
            ErrorKind.PROCESS_FAILED, f"{point.value}: cannot be loaded: {error}", cause=error
        ) from error
