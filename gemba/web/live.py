"""What runs behind the server: one thread translates and tells, one delivers and notifies.

Two, because bringing an answer into a pane takes seconds, and no event waits
for it. Each owns an index; what they share is that something has changed.
"""

import asyncio
import sys
import threading
import traceback
from collections.abc import Callable

import msgspec

from gemba.output import warn
from gemba.web.events import Hub
from gemba_core.attention.notifier import Notifier
from gemba_core.errors import GembaError
from gemba_core.inbox.held import Held
from gemba_core.inbox.live import Seen, attend, follow
from gemba_core.inbox.opened import use_index
from gemba_core.index import Index

# Seconds before another try where the logs or the index could not be read.
_AGAIN = 1.0
# Seconds between two looks at what is due while nothing changes.
_FULL_PASS = 3.0
_END_WAIT = 10.0


class Live:
    """Both threads, from `start` to `stop`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = threading.Event()
        self._work = _Work()
        self._told: set[str] = set()
        self._threads = [
            threading.Thread(target=self._persist, args=(action,), name=name)
            for name, action in (("follow", self._follow), ("deliver", self._deliver))
        ]

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin; the hub is told in that loop."""
        self._loop = loop
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End both, after what they are at."""
        self._stop.set()
        self._work.add(None)
        for thread in self._threads:
            thread.join(_END_WAIT)

    def _persist(self, action: Callable[[Index], None]) -> None:
        """Do it until the end; what breaks it is said, and it begins again."""
        while not self._stop.is_set():
            try:
                use_index(action)
            except (GembaError, OSError) as error:
                self._say([str(error)])
                self._stop.wait(_AGAIN)
            except Exception:
                # A fault of ours must not leave a server behind that tells nothing any more.
                traceback.print_exc()
                self._stop.wait(_AGAIN)

    def _follow(self, index: Index) -> None:
        seen = _SeenAll(index)
        self._tell(self._hub.begin, seen.generation)
        for logs in follow(index, self._stop):
            if index.is_replaced() or index.generation() != seen.generation:
                return
            told = seen.since()
            if told:
                self._tell(self._hub.tell, told)
            self._work.add(logs)
            self._say(index.problems)

    def _deliver(self, index: Index) -> None:
        held = Held()
        with Notifier() as notifier:
            while not self._stop.is_set() and not index.is_replaced():
                index.problems = []
                attend(index, self._work.take(_FULL_PASS), held)
                notifier.attend(index)
                self._say(index.problems)

    def _tell(self, action: Callable[..., None], given: object) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(action, given)

    def _say(self, problems: list[str]) -> None:
        """On standard error, each once."""
        new = [problem for problem in problems if problem not in self._told]
        self._told.update(new)
        warn(new)
        sys.stderr.flush()


class _SeenAll:
    """What was told of escalations and sessions, since the index was opened."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.generation = index.generation()
        self._revision = index.revision()
        self._escalations = Seen(index)

    def since(self) -> list[tuple[str, bytes]]:
        """What is new, as named JSON."""
        with self._index.snapshot():
            revision = self._index.revision()
            sessions = self._index.sessions_since(self._revision)
        self._revision = revision
        told = [
            ("escalation", msgspec.json.encode({"event": one.kind, "escalation": one.escalation}))
            for one in self._escalations.since()
        ]
        return [*told, *(("session", msgspec.json.encode(one)) for one in sessions)]


class _Work:
    """The logs that changed and were not yet looked at by the deliverer; None: all of them."""

    def __init__(self) -> None:
        self._logs: set[str] | None = set()
        self._changed = threading.Condition()

    def add(self, logs: set[str] | None) -> None:
        """These have changed."""
        with self._changed:
            self._logs = None if logs is None or self._logs is None else self._logs | logs
            self._changed.notify()

    def take(self, timeout: float) -> set[str] | None:
        """What has changed; empty when the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._logs is None or self._logs, timeout)
            taken, self._logs = self._logs, set()
            return taken
