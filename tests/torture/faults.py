"""Planted faults: what must make the tests of this folder fail, or they prove nothing."""

import os
import time
from collections.abc import Callable, Mapping

from gemba_core import waiting
from gemba_core.inbox import deliver
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Due, Index
from gemba_core.index.writer import Writer
from gemba_core.log import Log
from gemba_core.panes import PaneAddress, enter, look
from gemba_core.translator import SessionState


def plant(name: str) -> None:
    """Break this process in that way, until it ends."""
    _FAULTS[name]()


def _pastes_before_it_claims() -> None:
    def into(self: deliver._Delivery, address: PaneAddress, lock: str) -> deliver.Report | None:
        def claimed() -> None:
            self._journal.append_if(lambda state: self._claim(state, lock))
            self._recorded("typed", lock=lock)

        entry = enter(address, self._text, self._composer, look(address), pasted=claimed)
        return self._recorded(entry.status, entry.why)

    _replace(deliver._Delivery, "_into", into)


def _types_what_was_claimed() -> None:
    again = ("queued", "held", "claimed", "typed", "uncertain")

    def tried(index: Index, due: Due) -> deliver.Report:
        with open_journal(index, due.session_id) as journal:
            report = deliver._Delivery(index, due, journal).run()
        index.catch_up()
        return report or deliver._recorded(index, due)

    def line(self: deliver._Delivery, state: SessionState, lock: str) -> bytes:
        return deliver._line(self._due, "claimed", attempt=self._due.attempt + 1, lock=lock)

    _replace(deliver, "DUE", again)
    _replace(deliver, "tried", tried)
    _replace(deliver._Delivery, "_claim", line)


def _prints_before_it_claims() -> None:
    taken = waiting.Waiting._is_taken

    def is_taken(self: waiting.Waiting, outcome: waiting.Outcome, take: waiting.Take) -> bool:
        take(outcome)
        return taken(self, outcome, lambda _: None)

    _replace(waiting.Waiting, "_is_taken", is_taken)


def _appends_without_lock_and_o_append() -> None:
    def open_once(self: Log) -> int:
        return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self: Log, line: bytes, *, locked: bool = True) -> None:
        os.lseek(self.fd, 0, os.SEEK_END)
        # Others run here, as they would sooner or later.
        time.sleep(0.0001)
        os.write(self.fd, line)

    _replace(Log, "_open_once", open_once)
    _replace(Log, "lock", lambda self, wait=0.0: True)
    _replace(Log, "write", write)


def _commits_rows_before_their_position() -> None:
    save = Writer.save

    def saved(self: Writer, state: SessionState) -> None:
        save(self, state)
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")

    _replace(Writer, "save", saved)


_FAULTS: Mapping[str, Callable[[], None]] = {
    "pastes before it claims": _pastes_before_it_claims,
    "types what was claimed": _types_what_was_claimed,
    "prints before it claims": _prints_before_it_claims,
    "appends without lock and O_APPEND": _appends_without_lock_and_o_append,
    "commits rows before their position": _commits_rows_before_their_position,
}


def _replace(owner: object, name: str, part: object) -> None:
    assert hasattr(owner, name), f"{owner} has no {name} any more: the fault would be none"
    setattr(owner, name, part)
