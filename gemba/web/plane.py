"""The orchestration adaptor that this server is bound to, if it is to one."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from gemba.output import warn
from gemba_core.errors import GembaError
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.adaptors import Open, find
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.event import SubscribeFilter

T = TypeVar("T")

_NONE = "no orchestration adaptor is bound: start gemba serve with --orchestration=native"


def bound(name: str) -> "Plane":
    """The plane of the adaptor of that name; `none` is none. Raises NotFound, AdaptorError."""
    return Plane(name, None if name == "none" else find(name))


class Plane:
    """At most one adaptor, from `opened` on; all of it belongs to the event loop's thread.

    `degraded` is what the adaptor last said of itself, in its own words, until it
    works again.
    """

    def __init__(self, name: str, open: Open | None) -> None:
        self.name = name
        self.degraded: str | None = None
        self._open = open
        self._adaptor: OrchestrationPlaneAdaptor | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """The adaptor lives while the block lasts; without it the inbox works all the same."""
        async with AsyncExitStack() as held:
            if self._open is not None:
                try:
                    self._adaptor = await held.enter_async_context(self._open())
                except GembaError as error:
                    self.degraded = str(error)
                    warn([f"{self.name}: {error}"])
            yield
            self._adaptor = None

    async def follow(self, tell: Callable[[list[tuple[str, bytes]]], None]) -> None:
        """Tell every event of the adaptor, as one named `orchestration`, until cancelled."""
        if self._adaptor is None:
            return
        async with self._adaptor.subscribe(SubscribeFilter()) as events:
            async for event in events:
                tell([("orchestration", json.dumps(wire(event)).encode())])

    @property
    def adaptor(self) -> OrchestrationPlaneAdaptor | None:
        """The adaptor, if one is bound and could be opened."""
        return self._adaptor

    async def do(self, action: Callable[[OrchestrationPlaneAdaptor], Awaitable[T]]) -> T:
        """Have the adaptor do that. Raises AdaptorError."""
        if self._adaptor is None and self.degraded is not None:
            raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, self.degraded)
        if self._adaptor is None:
            raise AdaptorError(ErrorKind.UNSUPPORTED, _NONE)
        try:
            done = await action(self._adaptor)
        except AdaptorError as error:
            if error.kind is ErrorKind.ADAPTOR_DEGRADED:
                self.degraded = error.message
            raise
        self.degraded = None
        return done
