"""Changes to rows, inside the transaction of a catch-up. It decides nothing."""

import sqlite3
from collections.abc import Callable
from typing import Any

import msgspec

from gemba_core.frame.record import microseconds
from gemba_core.translator.change import (
    AskedAgain,
    Change,
    Claimed,
    Closed,
    Delivered,
    Dropped,
    Opened,
    PossibleReply,
    Reopened,
    Resolved,
)
from gemba_core.translator.state import SessionState

_OPEN = """
INSERT INTO escalations (session, event_id, source, role, urgency, created_at, deadline, opened,
    revision) VALUES (?,?,?,?,?,?,?,?,?)
"""
_UPDATE = "UPDATE escalations SET revision = ?, {} WHERE session = ? AND event_id = ?"
_SAVE = """
INSERT INTO sessions (log, session_id, agent_type, status, status_at, note, bead_id, close_reason,
    reply_to, created_at, lead, plane, revision, state) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT (session_id) DO UPDATE SET agent_type = excluded.agent_type, status = excluded.status,
    status_at = excluded.status_at, note = excluded.note, bead_id = excluded.bead_id,
    close_reason = excluded.close_reason, reply_to = excluded.reply_to,
    created_at = excluded.created_at, lead = excluded.lead, plane = excluded.plane,
    revision = excluded.revision, state = excluded.state
"""


class Writer:
    """Applies the changes of one log; `revision` marks every row that it touches."""

    def __init__(self, connection: sqlite3.Connection, log: int, revision: int) -> None:
        self._connection = connection
        self._log = log
        self._revision = revision
        self._ids: dict[str, int] = {}
        self._new: list[tuple[Any, ...]] = []

    def apply(self, state: SessionState, changes: tuple[Change, ...]) -> None:
        """Apply the changes of one frame of that session, in their order."""
        if not changes:
            self._session(state)
        for change in changes:
            if type(change) is Opened:
                self._new.append(self._opened(self._session(state), change))
            else:
                self.flush()
                _APPLY[type(change)](self, state, change)

    def flush(self) -> None:
        """Write the rows that were gathered."""
        if self._new:
            self._connection.executemany(_OPEN, self._new)
            self._new.clear()

    def save(self, state: SessionState) -> None:
        """Write the session's own row, its state included."""
        self._connection.execute(
            _SAVE,
            (
                self._log,
                state.session_id,
                state.agent_type,
                state.status,
                microseconds(state.status_at),
                state.note,
                state.bead_id,
                state.close_reason,
                state.reply_to,
                microseconds(state.created_at),
                _json(state.lead),
                _json(state.plane),
                self._revision,
                state.encoded(),
            ),
        )

    def _session(self, state: SessionState) -> int:
        found = self._ids.get(state.session_id)
        if found is None:
            query = "SELECT id FROM sessions WHERE session_id = ?"
            row = self._connection.execute(query, (state.session_id,)).fetchone()
            if row is None:
                self.save(state)
                row = self._connection.execute(query, (state.session_id,)).fetchone()
            found = self._ids[state.session_id] = int(row[0])
        return found

    def _opened(self, session: int, change: Opened) -> tuple[Any, ...]:
        return (
            session,
            change.id,
            change.source,
            change.role,
            change.urgency,
            microseconds(change.at),
            microseconds(change.deadline) if change.deadline else None,
            change.encoded(),
            self._revision,
        )

    def _update(self, state: SessionState, event_id: str, columns: str, *values: object) -> None:
        self._connection.execute(
            _UPDATE.format(columns), (self._revision, *values, self._session(state), event_id)
        )

    def _asked_again(self, state: SessionState, change: AskedAgain) -> None:
        self._connection.execute(
            "INSERT INTO aliases VALUES (?,?,?)", (self._session(state), change.alias, change.id)
        )
        self._update(state, change.id, "asked_count = asked_count + 1")

    def _resolved(self, state: SessionState, change: Resolved) -> None:
        self._update(
            state,
            change.id,
            "state = 'resolved', resolution_id = ?, resolution_kind = ?, value = ?, "
            "resolved_by = ?, resolved_at = ?, via = ?, claimed_by = NULL, claimed_until = NULL",
            change.resolution_id,
            change.kind,
            change.value,
            change.by,
            microseconds(change.at),
            change.via,
        )

    def _closed(self, state: SessionState, change: Closed) -> None:
        self._update(
            state,
            change.id,
            "state = ?, reason = ?, resolved_by = ?, resolved_at = ?, "
            "claimed_by = NULL, claimed_until = NULL",
            change.state,
            change.reason,
            change.by,
            microseconds(change.at),
        )

    def _reopened(self, state: SessionState, change: Reopened) -> None:
        self._update(
            state,
            change.id,
            "state = 'open', reason = NULL, resolution_id = NULL, resolution_kind = NULL, "
            "value = NULL, resolved_by = NULL, resolved_at = NULL, via = NULL, deadline = NULL",
        )

    def _claimed(self, state: SessionState, change: Claimed) -> None:
        until = microseconds(change.until) if change.until else None
        self._update(state, change.id, "claimed_by = ?, claimed_until = ?", change.by, until)

    def _possible_reply(self, state: SessionState, change: PossibleReply) -> None:
        self._update(state, change.id, "possible_reply = ?", change.text)

    def _delivered(self, state: SessionState, change: Delivered) -> None:
        session = self._session(state)
        self._connection.execute(
            "INSERT OR REPLACE INTO deliveries VALUES (?,?,?,?,?,?,?,?)",
            (
                session,
                change.resolution_id,
                change.attempt,
                change.status,
                microseconds(change.at),
                change.by,
                change.detail,
                change.lock,
            ),
        )
        self._connection.execute(
            "UPDATE escalations SET revision = ? WHERE session = ? AND resolution_id = ?",
            (self._revision, session, change.resolution_id),
        )

    def _dropped(self, _: SessionState, change: Dropped) -> None:
        self._connection.execute(
            "INSERT INTO dropped VALUES (?,?,?,?,1,?) ON CONFLICT DO UPDATE SET "
            "count = count + 1, last_event_id = excluded.last_event_id",
            (self._log, change.session_id, change.hook, change.reason, change.event_id),
        )


def _json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


_APPLY: dict[type, Callable[[Writer, SessionState, Any], None]] = {
    AskedAgain: Writer._asked_again,
    Resolved: Writer._resolved,
    Closed: Writer._closed,
    Reopened: Writer._reopened,
    Claimed: Writer._claimed,
    PossibleReply: Writer._possible_reply,
    Delivered: Writer._delivered,
    Dropped: Writer._dropped,
}
