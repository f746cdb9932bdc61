"""Following the inbox live: what changes, as it changes; held deliveries and deadlines too."""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import watchfiles

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.frame.vocabulary import DELIVERED, DELIVERY_STATUSES
from gemba_core.home import LOG_SUFFIX, make_private_dir
from gemba_core.inbox.held import Held
from gemba_core.inbox.tick import tick
from gemba_core.index import Escalation, Filter, Index

# Milliseconds. With the library's defaults a change is seen after a second or more; each step
# wakes us, so that shorter ones are what an idle watch spends its time with.
_STEP, _DEBOUNCE = 12, 10
_UNDELIVERED = tuple(status for status in DELIVERY_STATUSES if status not in DELIVERED)
# Seconds between full passes: against dropped file events, for deadlines and held deliveries.
_FULL_PASS = 5.0


@dataclass(frozen=True, slots=True)
class Event:
    """An escalation that is `open` as we begin, or what then happened to one: `opened`,
    `changed`, `settled` or `delivery`."""

    kind: str
    escalation: Escalation


def watch(index: Index) -> Iterator[list[Event]]:
    """What is open, then every change since, in lists that may be empty, until the caller stops.

    Yields at least every few seconds. It also does what time has made due, and
    tries the deliveries that are held.
    """
    make_private_dir(home.sessions_dir())
    seen, held = Seen(index), Held()
    yield seen.at_first
    for logs in follow(index):
        events = seen.since()
        attend(index, logs, held)
        yield events + seen.since()


def follow(index: Index, stop: threading.Event | None = None) -> Iterator[set[str] | None]:
    """Keep the index caught up until the caller stops, or `stop` is set.

    After each step yields the names of the logs that changed; None after a full
    pass over all of them, every few seconds.
    """
    make_private_dir(home.sessions_dir())
    last_pass = 0.0
    files = watchfiles.watch(
        home.sessions_dir(),
        step=_STEP,
        debounce=_DEBOUNCE,
        rust_timeout=int(_FULL_PASS * 1000),
        yield_on_timeout=True,
        recursive=False,
        watch_filter=_is_log,
        stop_event=stop,
        raise_interrupt=True,
    )
    for changes in files:
        names = {os.path.basename(path).removesuffix(LOG_SUFFIX) for _, path in changes}
        full = time.monotonic() - last_pass >= _FULL_PASS
        index.catch_up(None if full else names)
        yield None if full else names
        if full:
            last_pass = time.monotonic()


class Seen:
    """What was told already: of each escalation that is open, on its way back, or has changed.

    `at_first` is what was open when we began.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        with index.snapshot():
            self._revision = index.revision()
            opened = index.escalations(Filter())
            on_their_way = index.due(_UNDELIVERED)
        self.at_first = [Event("open", item) for item in opened]
        self._told = {_id(item): _standing(item) for item in opened}
        for due in on_their_way:
            for id in due.escalation_ids:
                self._told[due.session_id, id] = _Standing(False, due.status)

    def since(self) -> list[Event]:
        """What changed since the last call, each change once."""
        with self._index.snapshot():
            revision = self._index.revision()
            if revision == self._revision:
                return []
            changed = self._index.escalations_since(self._revision)
        self._revision = revision
        events = []
        for item in changed:
            kinds = _kinds(self._told.get(_id(item)), _standing(item))
            self._told[_id(item)] = _standing(item)
            events += [Event(kind, item) for kind in kinds]
        return events


class _Standing(NamedTuple):
    """All that must be kept of an escalation to know what happens to it next."""

    is_open: bool
    delivery: str | None


def _standing(item: Escalation) -> _Standing:
    return _Standing(item.state == "open", item.delivery.status if item.delivery else None)


def _id(item: Escalation) -> tuple[str, str]:
    return item.session_id, item.id


def _kinds(before: _Standing | None, now: _Standing) -> list[str]:
    """All that happened to it since, in order."""
    was_open = before is not None and before.is_open
    kinds = []
    if now.is_open or before is None:
        kinds.append("changed" if was_open else "opened")
    if not now.is_open and (before is None or was_open):
        kinds.append("settled")
    told = before.delivery if before else None
    if now.delivery not in (None, "queued", told):
        kinds.append("delivery")
    return kinds


def attend(index: Index, logs: set[str] | None, held: Held) -> None:
    """Deliveries and, in a full pass, deadlines; what fails now is tried again later."""
    try:
        if logs is None:
            tick(index)
        held.deliver(index, logs)
    except GembaError as error:
        index.problems.append(str(error))


def _is_log(_: watchfiles.Change, path: str) -> bool:
    return path.endswith(LOG_SUFFIX)
