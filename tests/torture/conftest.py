"""Fork servers for the whole session, and a bench for each test."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tmux_server import TmuxServer
from tests.torture.cases import THREADS, Bench
from tests.torture.machine import ROOT, Machine


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """Enough fork servers that a case never waits for a second process of its own."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    made = Machine(env, size=2 * THREADS)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def bench(tmp_path: Path, machine: Machine, tmux: TmuxServer) -> Bench:
    """Runs cases in this test's folder."""
    return Bench(tmp_path / "worlds", machine, tmux)
