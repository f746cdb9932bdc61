"""Logs of real sessions, and of the hook inputs that clients document, as rows of a fresh index."""

import json
from pathlib import Path

import pytest

from tests.clients.golden import FIXTURES, golden_of, rows_of

LOGS = sorted(FIXTURES.glob("*.jsonl"))


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_recorded_log_gives_its_golden_rows(log: Path, tmp_path: Path) -> None:
    """A change here is a change of what people see: read it before it is written anew."""
    assert rows_of(log, tmp_path) == json.loads(golden_of(log).read_text())
