"""What a fresh index makes of a recorded log. As a program: write the golden rows anew, to be read.

python -m tests.clients.golden
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from gemba_core.frame.vocabulary import ESCALATION_STATES
from gemba_core.index import Filter, Index

FIXTURES = Path(__file__).parent / "fixtures"


def rows_of(log: Path, folder: Path) -> dict[str, Any]:
    """The sessions, all their escalations and what was dropped, with that log as the only one."""
    sessions = folder / "sessions"
    sessions.mkdir()
    (sessions / "s.jsonl").write_bytes(log.read_bytes())

    def read(index: Index) -> dict[str, Any]:
        return {
            "sessions": index.sessions(),
            "escalations": index.escalations(Filter(states=ESCALATION_STATES)),
            "dropped": index.dropped(),
        }

    found = Index.use(str(folder / "index.db"), str(sessions), read)
    rows: dict[str, Any] = msgspec.to_builtins(found)
    for session in rows["sessions"]:
        session["log"] = Path(session["log"]).name
    return rows


def golden_of(log: Path) -> Path:
    """The file that holds what its rows should be."""
    return log.with_suffix(".json")


def main() -> None:
    """Write all of them anew."""
    for log in sorted(FIXTURES.glob("*.jsonl")):
        with tempfile.TemporaryDirectory() as folder:
            rows = json.dumps(rows_of(log, Path(folder)), indent=1, ensure_ascii=False)
        golden_of(log).write_text(f"{rows}\n")


if __name__ == "__main__":
    main()
