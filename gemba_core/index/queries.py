"""Questions to the index. Every answer is a frozen row of `rows`."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from gemba_core.clients import client_of
from gemba_core.frame.line import timestamp
from gemba_core.frame.vocabulary import RESOLVED_AS
from gemba_core.index.rows import (
    Delivery,
    Dropped,
    Due,
    Escalation,
    Filter,
    Lead,
    LogStatus,
    Resolution,
    Session,
)
from gemba_core.index.workspace import workspace
from gemba_core.lifelock import is_held
from gemba_core.tail import Position
from gemba_core.translator.change import Opened
from gemba_core.translator.state import SessionState

_ESCALATION = """
SELECT e.opened, s.session_id, e.state, e.created_at, e.asked_count, e.reason, e.possible_reply,
    e.claimed_by, e.claimed_until, e.deadline, e.resolution_kind, e.value, e.resolved_by,
    e.resolved_at, e.via, d.status, d.attempt, d.at, d.detail, d.lock
FROM escalations e JOIN sessions s ON s.id = e.session
LEFT JOIN deliveries d ON d.session = e.session AND d.resolution_id = e.resolution_id
"""
# What a person calls a state: the ways of being resolved, beside the states themselves.
STATE_WORDS = {
    "open": "e.state = 'open'",
    "resolved": "e.state = 'resolved'",
    "canceled": "e.state = 'canceled'",
    "expired": "e.state = 'expired'",
    **{word: f"e.resolution_kind = '{kind}'" for kind, word in RESOLVED_AS.items()},
}
_TEXT = "(e.opened ->> 'title') || char(10) || (e.opened ->> 'prompt')"
# Each is a row that rises, so that a page can begin behind the last one of the page before.
_URGENT = "(e.urgency <> 'blocking', coalesce(e.created_at, -1), e.id)"
_NEWEST = "(-coalesce(e.created_at, -1), -e.id)"
_SESSION = """
SELECT s.session_id, s.agent_type, s.status, s.status_at, s.note, s.bead_id, s.close_reason,
    s.created_at, count(e.id), count(CASE WHEN e.urgency = 'blocking' THEN 1 END), l.name, s.lead,
    s.plane ->> 'started_at' IS NOT NULL AND s.plane ->> 'ended_at' IS NULL,
    s.plane ->> 'workspace'
FROM sessions s JOIN logs l ON l.id = s.log
LEFT JOIN escalations e ON e.session = s.id AND e.state = 'open'
"""
_DUE = """
SELECT s.session_id, e.opened ->> 'agent_type', d.resolution_id, d.attempt, d.status, d.detail,
    d.lock, e.value, e.resolution_kind, e.via, max(e.opened ->> 'channel'),
    group_concat(e.event_id), max(e.opened ->> 'reply_to'),
    s.plane IS NOT NULL, s.plane ->> 'pane', l.offset
FROM deliveries d JOIN sessions s ON s.id = d.session JOIN logs l ON l.id = s.log
JOIN escalations e ON e.session = d.session AND e.resolution_id = d.resolution_id
"""


class Queries:
    """What can be asked of an open index."""

    def __init__(self, connection: sqlite3.Connection, home: str) -> None:
        self.connection = connection
        self._home = home

    def _rows(self, query: str, values: Iterable[object]) -> list[Escalation]:
        rows = self.connection.execute(query, tuple(values))
        return [_escalation(row[:10], row[10:15], self._delivery(*row[15:])) for row in rows]

    def _delivery(
        self,
        status: str | None,
        attempt: int,
        at: int | None,
        detail: str | None,
        lock: str | None,
    ) -> Delivery | None:
        """The delivery as far as it can be known: a dead deliverer's is uncertain."""
        if status is None:
            return None
        if status in ("claimed", "typed") and not self.is_held(lock):
            return Delivery("uncertain", attempt, _time(at), "its deliverer is gone")
        return Delivery(status, attempt, _time(at), detail)

    def is_held(self, lock: str | None) -> bool:
        """Whether the deliverer with that lock (a path below the home) lives."""
        return lock is not None and is_held(os.path.join(self._home, lock))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is asked within sees one state, whatever others commit meanwhile."""
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            self.connection.execute("COMMIT")

    def revision(self) -> int:
        """Rises with every transaction that changes rows."""
        return int(self.connection.execute("SELECT revision FROM meta").fetchone()[0])

    def generation(self) -> int:
        """Rises with every rebuild."""
        return int(self.connection.execute("SELECT generation FROM meta").fetchone()[0])

    def escalations(self, wanted: Filter) -> list[Escalation]:
        """The escalations that pass the filter: blocking first, then oldest first; or newest."""
        where, values = _conditions(wanted)
        order = _NEWEST if wanted.newest else _URGENT
        query = _ESCALATION + where + f" ORDER BY {order[1:-1]}"
        if wanted.limit is not None:
            query += " LIMIT ?"
            values.append(wanted.limit)
        return self._rows(query, values)

    def escalations_since(self, revision: int) -> list[Escalation]:
        """Those that changed after that revision, in the order in which they were opened."""
        query = _ESCALATION + (
            " WHERE e.id IN (SELECT id FROM escalations WHERE state = 'open' AND revision > ?1"
            " UNION ALL SELECT id FROM escalations WHERE state <> 'open' AND revision > ?1)"
            " ORDER BY e.id"
        )
        return self._rows(query, (revision,))

    def escalation(self, session_id: str, id: str) -> Escalation | None:
        """The escalation of that session and id."""
        query = _ESCALATION + " WHERE s.session_id = ? AND e.event_id = ?"
        return next(iter(self._rows(query, (session_id, id))), None)

    def named(self, prefix: str, limit: int = 10) -> list[Escalation]:
        """The escalations whose id or alias begins with that prefix, at most `limit`."""
        low, high = prefix, prefix + "\x7f"
        query = _ESCALATION + (
            " WHERE e.id IN (SELECT f.id FROM sessions t CROSS JOIN escalations f"
            " ON f.session = t.id AND f.event_id >= ?1 AND f.event_id < ?2"
            " UNION SELECT f.id FROM aliases a JOIN escalations f"
            " ON f.session = a.session AND f.event_id = a.event_id"
            " WHERE a.alias >= ?1 AND a.alias < ?2) ORDER BY e.id LIMIT ?3"
        )
        return self._rows(query, (low, high, limit))

    def sessions(self) -> list[Session]:
        """All sessions, those last changed first; not the reservations that never became one."""
        query = _SESSION + (
            " WHERE s.plane ->> 'released_at' IS NULL GROUP BY s.id ORDER BY s.status_at DESC, s.id"
        )
        return [_session(row) for row in self.connection.execute(query)]

    def sessions_since(self, revision: int) -> list[Session]:
        """Those that changed after that revision."""
        query = _SESSION + " WHERE s.revision > ? GROUP BY s.id ORDER BY s.id"
        return [_session(row) for row in self.connection.execute(query, (revision,))]

    def session(self, session_id: str) -> Session | None:
        """The session of that id."""
        query = _SESSION + " WHERE s.session_id = ? GROUP BY s.id"
        row = self.connection.execute(query, (session_id,)).fetchone()
        return _session(row) if row else None

    def sessions_named(self, prefix: str, limit: int = 10) -> list[str]:
        """The ids of sessions that begin with that prefix, at most `limit`."""
        query = (
            "SELECT session_id FROM sessions WHERE substr(session_id, 1, length(?1)) = ?1"
            " ORDER BY session_id LIMIT ?2"
        )
        return [row[0] for row in self.connection.execute(query, (prefix, limit))]

    def folded(self, session_id: str) -> tuple[SessionState, Position] | None:
        """What the fold remembers of that session, and up to which position of its log."""
        query = (
            "SELECT s.state, l.offset, l.inode, l.checksum, l.skipping"
            " FROM sessions s JOIN logs l ON l.id = s.log WHERE s.session_id = ?"
        )
        row = self.connection.execute(query, (session_id,)).fetchone()
        if row is None:
            return None
        return SessionState.decoded(row[0]), Position(row[1], row[2], row[3], bool(row[4]))

    def kept(self, *, ended: bool = False) -> list[SessionState]:
        """What the fold remembers of the sessions that the orchestration plane keeps.

        In the order in which they were first seen; those that ended, or never
        became a session, only if asked for.
        """
        query = "SELECT state FROM sessions WHERE plane IS NOT NULL"
        if not ended:
            query += " AND plane ->> 'ended_at' IS NULL AND plane ->> 'released_at' IS NULL"
        rows = self.connection.execute(f"{query} ORDER BY id")
        return [SessionState.decoded(row[0]) for row in rows]

    def due(self, statuses: Iterable[str]) -> list[Due]:
        """The deliveries in one of these statuses, oldest first."""
        wanted = tuple(statuses)
        marks = ",".join("?" * len(wanted))
        query = _DUE + (
            f" WHERE d.status IN ({marks}) GROUP BY d.session, d.resolution_id ORDER BY min(e.id)"
        )
        return [_due(row) for row in self.connection.execute(query, wanted)]

    def delivery(self, session_id: str, resolution_id: str) -> Due | None:
        """That resolution's delivery."""
        query = _DUE + (
            " WHERE s.session_id = ? AND d.resolution_id = ? GROUP BY d.session, d.resolution_id"
        )
        row = self.connection.execute(query, (session_id, resolution_id)).fetchone()
        return _due(row) if row else None

    def resolution_of(self, session_id: str, escalation_id: str) -> str | None:
        """The resolution that closed that escalation, if one did."""
        query = (
            "SELECT e.resolution_id FROM escalations e JOIN sessions s ON s.id = e.session"
            " WHERE s.session_id = ? AND e.event_id = ?"
        )
        row = self.connection.execute(query, (session_id, escalation_id)).fetchone()
        return row[0] if row else None

    def overdue(self, now: int) -> list[tuple[str, str, str]]:
        """(session id, escalation id, on_expiry) of open ones whose deadline has passed.

        `now` in microseconds since the epoch.
        """
        query = (
            "SELECT s.session_id, e.event_id, coalesce(e.opened ->> 'on_expiry', 'wait')"
            " FROM escalations e JOIN sessions s ON s.id = e.session"
            " WHERE e.state = 'open' AND e.deadline <= ?"
        )
        return list(self.connection.execute(query, (now,)))

    def lapsed_claims(self, now: int) -> list[tuple[str, str]]:
        """(session id, escalation id) of open ones whose claim has run out. `now` as above."""
        query = (
            "SELECT s.session_id, e.event_id FROM escalations e JOIN sessions s ON s.id = e.session"
            " WHERE e.state = 'open' AND e.claimed_until <= ?"
        )
        return list(self.connection.execute(query, (now,)))

    def newest(self) -> int | None:
        """The latest time on record, in microseconds since the epoch."""
        query = (
            "SELECT max(coalesce((SELECT max(status_at) FROM sessions), 0),"
            " coalesce((SELECT max(created_at) FROM escalations), 0))"
        )
        return int(self.connection.execute(query).fetchone()[0]) or None

    def logs(self) -> list[LogStatus]:
        """How far each log was read."""
        query = "SELECT name, offset, size, bad_lines FROM logs ORDER BY name"
        return [LogStatus(*row) for row in self.connection.execute(query)]

    def dropped(self) -> list[Dropped]:
        """The frames that changed nothing, by log, session, hook and reason."""
        query = (
            "SELECT l.name, d.session_id, d.hook, d.reason, d.count, d.last_event_id"
            " FROM dropped d JOIN logs l ON l.id = d.log ORDER BY 1, 2, 3, 4"
        )
        return [Dropped(*row) for row in self.connection.execute(query)]

    def prunable(self, before: int) -> list[str]:
        """The logs of which every session ended before that time with nothing open."""
        query = (
            "SELECT l.name FROM logs l JOIN sessions s ON s.log = l.id GROUP BY l.id"
            " HAVING max(s.status NOT IN ('completed', 'failed')) = 0"
            " AND max(coalesce(s.status_at, ?1)) < ?1 AND NOT EXISTS (SELECT 1 FROM escalations e"
            " JOIN sessions t ON t.id = e.session WHERE t.log = l.id AND e.state = 'open')"
        )
        return [row[0] for row in self.connection.execute(query, (before,))]


def _conditions(wanted: Filter) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    if wanted.states:
        parts.append("(" + " OR ".join(STATE_WORDS[state] for state in wanted.states) + ")")
    for column, value in (
        ("s.session_id = ?", wanted.session),
        ("e.urgency = ?", wanted.urgency),
        ("e.source = ?", wanted.source),
        ("e.role = ?", wanted.role),
        ("e.created_at >= ?", wanted.since),
    ):
        if value is not None:
            parts.append(column)
            values.append(value)
    if wanted.after is not None:
        row = _NEWEST if wanted.newest else _URGENT
        parts.append(
            f"{row} > (SELECT {row[1:-1]} FROM escalations e JOIN sessions s ON s.id = e.session"
            " WHERE s.session_id = ? AND e.event_id = ?)"
        )
        values += wanted.after
    if wanted.search:
        parts.append(
            "instr(lower((e.opened ->> 'title') || char(10) || (e.opened ->> 'prompt')), lower(?))"
        )
        values.append(wanted.search)
    return (" WHERE " + " AND ".join(parts) if parts else ""), values


def _time(microseconds: int | None) -> str | None:
    return None if microseconds is None else timestamp(microseconds * 1000)


def _escalation(
    row: tuple[Any, ...], resolution: tuple[Any, ...], delivery: Delivery | None
) -> Escalation:
    opened = Opened.decoded(row[0])
    return Escalation(
        id=opened.id,
        source=opened.source,
        channel=opened.channel,
        session_id=row[1],
        agent_type=opened.agent_type,
        role=opened.role,
        work_item_id=opened.bead_id,
        urgency=opened.urgency,
        title=opened.title,
        prompt=opened.prompt,
        options=[{"value": value, "label": label} for value, label in opened.options],
        takes=_takes(opened),
        state=row[2],
        created_at=_time(row[3]),
        asked_count=row[4],
        resolution=_resolution(*resolution),
        delivery=delivery,
        reason=row[5],
        possible_reply=row[6],
        claimed_by=row[7],
        claimed_until=_time(row[8]),
        deadline=_time(row[9]),
        on_expiry=opened.on_expiry,
        detail=opened.detail,
    )


def _takes(opened: Opened) -> list[str]:
    if opened.channel == "tool_call":
        return ["modify"]
    return client_of(opened.agent_type).takes(opened.tool)


def _resolution(
    kind: str | None, value: str | None, by: str, at: int | None, via: str
) -> Resolution | None:
    return None if kind is None else Resolution(kind, value, by, _time(at), via)


def _lead(encoded: str | None) -> Lead | None:
    if encoded is None:
        return None
    skill, tools = msgspec.json.decode(encoded)
    return Lead(skill, tools)


def _session(row: tuple[Any, ...]) -> Session:
    return Session(
        session_id=row[0],
        agent_type=row[1],
        status=row[2],
        status_at=_time(row[3]),
        note=row[4],
        work_item_id=row[5],
        close_reason=row[6],
        created_at=_time(row[7]),
        open=row[8],
        blocking=row[9],
        log=row[10],
        lead=_lead(row[11]),
        kept=bool(row[12]),
        workspace=workspace(row[0], row[13]),
    )


def _due(row: tuple[Any, ...]) -> Due:
    return Due(
        session_id=row[0],
        agent_type=row[1],
        resolution_id=row[2],
        attempt=row[3],
        status=row[4],
        detail=row[5],
        lock=row[6],
        text=row[7],
        kind=row[8],
        via=row[9],
        channel=row[10],
        escalation_ids=row[11].split(","),
        reply_to=row[12],
        is_kept=bool(row[13]),
        pane=row[14],
        log_end=row[15],
    )
