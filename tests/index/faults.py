"""Faults to plant: each a mistake that somebody could make in the store or the writer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from weakref import WeakSet

import msgspec
import pytest
from msgspec.structs import fields

from gemba_core import tail
from gemba_core.index import store
from gemba_core.index.store import Index
from gemba_core.index.writer import Writer
from gemba_core.tail import BadLine, Position
from gemba_core.translator import SessionState
from gemba_core.translator.change import Change


@dataclass(frozen=True)
class Fault:
    """What is wrong, and how to make it so."""

    name: str
    plant: Callable[[pytest.MonkeyPatch], None]


def _loses_the_first_change(patch: pytest.MonkeyPatch) -> None:
    apply, seen = Writer.apply, WeakSet[Writer]()

    def lossy(self: Writer, state: SessionState, changes: tuple[Change, ...]) -> None:
        apply(self, state, changes if self in seen else changes[1:])
        seen.add(self)

    patch.setattr(Writer, "apply", lossy)


def _forgets(field: str) -> Fault:
    blank, decoded = SessionState(""), SessionState.decoded

    def forgetful(data: bytes) -> SessionState:
        return msgspec.structs.replace(decoded(data), **{field: getattr(blank, field)})

    return Fault(
        f"the stored state has no {field}",
        lambda patch: patch.setattr(SessionState, "decoded", forgetful),
    )


def _saves_a_state_once(patch: pytest.MonkeyPatch) -> None:
    save = Writer.save

    def once(self: Writer, state: SessionState) -> None:
        query = "SELECT 1 FROM sessions WHERE session_id = ?"
        if self._connection.execute(query, (state.session_id,)).fetchone() is None:
            save(self, state)

    patch.setattr(Writer, "save", once)


def _reads_from(shift: Callable[[Position], Position]) -> Callable[[pytest.MonkeyPatch], None]:
    read = tail.read
    return lambda patch: patch.setattr(store, "read", lambda fd, start: read(fd, shift(start)))


def _one_byte_late(start: Position) -> Position:
    return replace(start, offset=start.offset + 1) if start.offset else start


def _counts_the_last_bad_lines_only(patch: pytest.MonkeyPatch) -> None:
    def forgetful(self: Index, log: int, bad: list[BadLine]) -> None:
        self.connection.execute("UPDATE logs SET bad_lines = ? WHERE id = ?", (len(bad), log))

    patch.setattr(Index, "_note_bad", forgetful)


FAULTS = [
    Fault("the first change of a catch-up is lost", _loses_the_first_change),
    Fault("a state is saved once", _saves_a_state_once),
    Fault("reading goes on one byte late", _reads_from(_one_byte_late)),
    Fault("reading begins anew with the old state", _reads_from(lambda _: Position())),
    Fault("only the last bad lines count", _counts_the_last_bad_lines_only),
]
# Each part of the memory matters: none of them could be left out unseen.
FORGOTTEN = [_forgets(field.name) for field in fields(SessionState) if field.name != "session_id"]


def _finds_rows_by_event_id(patch: pytest.MonkeyPatch) -> None:
    def careless(
        self: Writer, state: SessionState, event_id: str, columns: str, *values: object
    ) -> None:
        query = f"UPDATE escalations SET revision = ?, {columns} WHERE event_id = ?"
        self._connection.execute(query, (self._revision, *values, event_id))

    patch.setattr(Writer, "_update", careless)


ORDER_FAULTS = [Fault("rows are found by their event id alone", _finds_rows_by_event_id)]


def _keeps_in_memory(method: str) -> Callable[[pytest.MonkeyPatch], None]:
    """What this object itself last wrote, in place of what the database says."""
    ask, translate = getattr(Index, method), Index._translate

    def remembered(self: Index, name: str) -> object:
        return vars(self)["kept"] if "kept" in vars(self) else ask(self, name)

    def remembering(
        self: Index, name: str, fd: int, budget: int | None, revision: int
    ) -> tuple[bool, int]:
        done = translate(self, name, fd, budget, revision)
        vars(self)["kept"] = ask(self, name)
        return done

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Index, method, remembered)
        patch.setattr(Index, "_translate", remembering)

    return plant


STALE_FAULTS = [
    Fault("positions are kept in memory", _keeps_in_memory("_position")),
    Fault("states are kept in memory", _keeps_in_memory("_states")),
]
