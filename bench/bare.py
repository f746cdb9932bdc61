"""The least that an answer over HTTP can be: FastAPI, and one row that SQLite brings to the disk.

Run by bench.serve: `python -m bench.bare DATABASE PORT`.
"""

import sqlite3
import sys
import threading

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()
_of_thread = threading.local()


class Answer(BaseModel):
    """What bench.serve posts to the real server, too."""

    kind: str
    value: str
    nonce: str


@app.post("/{id}")
def respond(id: str, given: Answer) -> dict[str, str]:
    """Commit it."""
    connection = _connection()
    connection.execute("INSERT INTO answers VALUES (?, ?, ?)", (id, given.nonce, given.value))
    connection.commit()
    return {"id": id}


def _connection() -> sqlite3.Connection:
    """One for each thread that works on requests."""
    found: sqlite3.Connection | None = getattr(_of_thread, "connection", None)
    if found is None:
        found = _of_thread.connection = sqlite3.connect(sys.argv[1], timeout=60)
        found.execute("PRAGMA journal_mode = WAL")
        found.execute("PRAGMA synchronous = FULL")
        found.execute("CREATE TABLE IF NOT EXISTS answers (id TEXT, nonce TEXT, value TEXT)")
    return found


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[2]), http="h11", ws="none", log_level="critical")
