"""A queue, and Beads with a stand-in for its program."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gemba_core.orchestration.work.beads import Beads
from gemba_core.orchestration.work.queue import Queue

_STAND_IN = Path(__file__).parent / "programs" / "bd.py"


class Tracker:
    """A folder with Beads' issues in it, and a `bd` that knows them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bd = self.program(_STAND_IN.read_text())
        self._store = folder / ".beads" / "issues.json"
        self._store.parent.mkdir()
        self._store.write_text("[]")

    def program(self, text: str) -> str:
        """A `bd` that is this Python program."""
        path = self.folder / "bd"
        path.write_text(f"#!{sys.executable}\n{text}")
        path.chmod(0o755)
        return str(path)

    def plane(self, **options: Any) -> Beads:
        """The adaptor over it."""
        return Beads(self.bd, str(self.folder), **options)

    def add(self, id: str, **more: object) -> None:
        """One more issue."""
        issue = {"id": id, "title": f"Do {id}", "status": "open", "priority": 2}
        issue |= {"issue_type": "task", "created_at": f"2030-01-02T03:04:{len(self.issues()):02}Z"}
        self._store.write_text(json.dumps([*self.issues().values(), issue | more]))

    def issues(self) -> Mapping[str, dict[str, Any]]:
        """All of them as Beads has them, by their ids."""
        return {one["id"]: one for one in json.loads(self._store.read_text())}


@pytest.fixture
def tracker(tmp_path: Path) -> Tracker:
    """Beads, with no issue yet."""
    folder = tmp_path / "tracked"
    folder.mkdir()
    return Tracker(folder)


@pytest.fixture
def queue() -> Queue:
    """The embedded queue of this test's home."""
    return Queue(os.path.join(os.environ["GEMBA_HOME"], "work.db"))
