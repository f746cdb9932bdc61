"""Following the inbox live: what changes, as it changes; held deliveries and deadlines too."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

import watchfiles

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.home import LOG_SUFFIX, make_private_dir
from gemba_core.inbox.deliver import deliver_all
from gemba_core.inbox.tick import tick
from gemba_core.index import Escalation, Filter, Index

# Milliseconds. With the library's defaults a change is seen after a second or more; each step
# wakes us, so that shorter ones are what an idle watch spends its time with.
_STEP, _DEBOUNCE = 10, 10
# Seconds between full passes: against dropped file events, for deadlines and held deliveries.
_FULL_PASS = 3.0


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
    seen = _Seen(index)
    yield seen.at_first()
    last_pass = 0.0
    files = watchfiles.watch(
        home.sessions_dir(),
        step=_STEP,
        debounce=_DEBOUNCE,
        rust_timeout=int(_FULL_PASS * 1000),
        yield_on_timeout=True,
        recursive=False,
        watch_filter=_is_log,
        raise_interrupt=True,
    )
    for changes in files:
        names = {os.path.basename(path).removesuffix(LOG_SUFFIX) for _, path in changes}
        full = time.monotonic() - last_pass >= _FULL_PASS
        index.catch_up(None if full else names)
        events = seen.since()
        _attend(index, None if full else names)
        if full:
            last_pass = time.monotonic()
        yield events + seen.since()


class _Seen:
    """What was told already: of each escalation that is open or has changed."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._revision = index.revision()
        self._told = {_id(item): item for item in index.escalations(Filter())}

    def at_first(self) -> list[Event]:
        """What was open when we began: taken with the revision, so that nothing is missed."""
        return [Event("open", item) for item in self._told.values()]

    def since(self) -> list[Event]:
        revision = self._index.revision()
        if revision == self._revision:
            return []
        events = []
        for item in self._index.escalations_since(self._revision):
            before = self._told.get(_id(item))
            self._told[_id(item)] = item
            events += [Event(kind, item) for kind in _kinds(before, item)]
        self._revision = revision
        return events


def _id(item: Escalation) -> tuple[str, str]:
    return item.session_id, item.id


def _kinds(before: Escalation | None, item: Escalation) -> list[str]:
    """All that happened to it since, in order."""
    was_open = before is not None and before.state == "open"
    kinds = []
    if item.state == "open" or before is None:
        kinds.append("changed" if was_open else "opened")
    if item.state != "open" and (before is None or was_open):
        kinds.append("settled")
    status = item.delivery.status if item.delivery else None
    told = before.delivery.status if before and before.delivery else None
    if status not in (None, "queued", told):
        kinds.append("delivery")
    return kinds


def _attend(index: Index, logs: set[str] | None) -> None:
    """Deliveries and, in a full pass, deadlines; what fails now is tried again later."""
    try:
        if logs is None:
            tick(index)
        deliver_all(index, logs)
    except GembaError as error:
        index.problems.append(str(error))


def _is_log(_: watchfiles.Change, path: str) -> bool:
    return path.endswith(LOG_SUFFIX)
