"""The index's tables, as append-only migrations: never edit one, add the next.

The number of applied migrations is the database's `user_version`; each is
applied in one transaction with its number. FOLD is raised whenever the fold
gives other rows or states than before: then an index is refilled.

`opened` of an escalation is the translator's record of it as JSON. Nothing in
it ever changes, and only what is searched or sorted by has a column besides:
a million frames are translated as fast as their asks can be inserted, and a
column costs more than its bytes. For the same reason no index is there twice:
those of open and of settled rows are, together, the one by revision.
"""

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x67656D62  # "gemb"
FOLD = 5

_FIRST = """
CREATE TABLE meta (
    generation INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    fold INTEGER NOT NULL
);
INSERT INTO meta VALUES (0, 0, 0);
CREATE TABLE logs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    offset INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    skipping INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    bad_lines INTEGER NOT NULL
);
CREATE TABLE bad_lines (
    log INTEGER NOT NULL REFERENCES logs,
    offset INTEGER NOT NULL,
    why TEXT NOT NULL
);
CREATE INDEX bad_lines_of_log ON bad_lines (log);
CREATE TABLE dropped (
    log INTEGER NOT NULL REFERENCES logs,
    session_id TEXT NOT NULL,
    hook TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_event_id TEXT NOT NULL,
    PRIMARY KEY (log, session_id, hook, reason)
) WITHOUT ROWID;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    log INTEGER NOT NULL REFERENCES logs,
    session_id TEXT NOT NULL UNIQUE,
    agent_type TEXT NOT NULL,
    status TEXT NOT NULL,
    status_at INTEGER,
    note TEXT,
    bead_id TEXT,
    close_reason TEXT,
    reply_to TEXT,
    created_at INTEGER,
    revision INTEGER NOT NULL,
    state BLOB NOT NULL
);
CREATE INDEX sessions_of_log ON sessions (log);
CREATE TABLE escalations (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions,
    event_id TEXT NOT NULL,
    source TEXT NOT NULL,
    role TEXT,
    urgency TEXT NOT NULL,
    created_at INTEGER,
    deadline INTEGER,
    opened TEXT NOT NULL,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    reason TEXT,
    asked_count INTEGER NOT NULL DEFAULT 1,
    possible_reply TEXT,
    claimed_by TEXT,
    claimed_until INTEGER,
    resolution_id TEXT,
    resolution_kind TEXT,
    value TEXT,
    resolved_by TEXT,
    resolved_at INTEGER,
    via TEXT
);
CREATE UNIQUE INDEX escalation_event ON escalations (session, event_id);
CREATE INDEX open_escalations ON escalations (revision) WHERE state = 'open';
CREATE INDEX settled_escalations ON escalations (revision) WHERE state <> 'open';
CREATE INDEX escalations_of_resolution ON escalations (session, resolution_id)
    WHERE resolution_id IS NOT NULL;
CREATE TABLE aliases (
    session INTEGER NOT NULL REFERENCES sessions,
    alias TEXT NOT NULL,
    event_id TEXT NOT NULL,
    PRIMARY KEY (session, alias)
) WITHOUT ROWID;
CREATE INDEX alias_names ON aliases (alias);
CREATE TABLE deliveries (
    session INTEGER NOT NULL REFERENCES sessions,
    resolution_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    at INTEGER,
    by TEXT NOT NULL,
    detail TEXT,
    lock TEXT,
    PRIMARY KEY (session, resolution_id)
) WITHOUT ROWID;
CREATE INDEX due_deliveries ON deliveries (status)
    WHERE status IN ('queued', 'held', 'claimed', 'typed', 'uncertain');
"""

_SECOND = """
ALTER TABLE sessions ADD COLUMN lead TEXT
"""

_THIRD = """
ALTER TABLE sessions ADD COLUMN plane TEXT;
CREATE INDEX kept_sessions ON sessions (id) WHERE plane IS NOT NULL
"""

MIGRATIONS = (_FIRST, _SECOND, _THIRD)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an index up to this version."""
    apply_missing(connection, MIGRATIONS, APPLICATION_ID)


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether a newer Gemba, or another program, made this database."""
    return is_beyond(connection, MIGRATIONS, APPLICATION_ID)


def apply_missing(
    connection: sqlite3.Connection, migrations: Sequence[str], application_id: int
) -> None:
    """Apply what is missing, each migration in one transaction with its own record."""
    while (version := _version(connection)) < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been first while we waited for the lock.
            if _version(connection) == version:
                for statement in migrations[version].split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {application_id}")
                connection.execute(f"PRAGMA user_version = {version + 1}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def is_beyond(
    connection: sqlite3.Connection, migrations: Sequence[str], application_id: int
) -> bool:
    """Whether it has more migrations than these, or is of another application."""
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    return _version(connection) > len(migrations) or application not in (0, application_id)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
