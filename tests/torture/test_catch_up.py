"""Two catch-ups at once, one of which is killed."""

import os
import random
import signal
from pathlib import Path

import pytest

from tests.tmux_server import TmuxServer
from tests.torture.machine import Machine
from tests.torture.promises import index_is_as_rebuilt
from tests.torture.world import Started, World, world
from tests.waiting import wait_until

_SESSIONS = [f"busy-{number}" for number in range(8)]


def _write_much(made: World, questions: int) -> None:
    for session_id in _SESSIONS:
        for number in range(questions):
            asked = made.ask(session_id, text=f"Question {number}?")
            if number % 2:
                made.resolve(session_id, asked, f"answer {number}")


def _catching_up(made: World) -> Started:
    return made.start("gemba", "index", "status", "--json", small_batches=True)


def _commits(started: Started) -> int:
    trace = started.folder / "trace"
    return trace.read_text().count("commit") if trace.exists() else 0


def _one_of_two_is_killed(made: World, commits: int) -> bool:
    """Kill one in the middle; the other must finish. Whether it was killed in time."""
    doomed, other = _catching_up(made), _catching_up(made)
    try:
        wait_until(
            lambda: _commits(doomed) + _commits(other) >= commits or doomed.running.is_over(),
            timeout=30,
            what=f"{commits} commits",
        )
    finally:
        if not doomed.running.is_over():
            os.kill(doomed.running.pid, signal.SIGKILL)
        ended, finished = made.done(doomed), made.done(other)
    assert finished.code == 0, finished.stderr
    index_is_as_rebuilt(made.home)
    assert {item["id"] for item in made.listed()} == made.must
    return ended.code == -signal.SIGKILL


@pytest.mark.torture
def test_of_two_catch_ups_one_is_killed_and_the_other_finishes(
    tmp_path: Path, machine: Machine, tmux: TmuxServer
) -> None:
    """Wherever one of two catch-ups dies, the other finishes, with the rows of a rebuild."""
    chance = random.Random(20261121)
    killed = 0
    with world(tmp_path / "world", machine, tmux) as made:
        made.ask(_SESSIONS[0])
        made.listed()
        for _ in range(20):
            _write_much(made, 40)
            killed += _one_of_two_is_killed(made, chance.randint(1, 15))
    assert killed >= 10, "most catch-ups were over before they were killed"


def test_a_killed_catch_up_leaves_the_other_alone(
    tmp_path: Path, machine: Machine, tmux: TmuxServer
) -> None:
    """A catch-up that dies in the middle neither stops nor spoils another."""
    with world(tmp_path / "world", machine, tmux) as made:
        made.ask(_SESSIONS[0])
        made.listed()
        _write_much(made, 40)
        _one_of_two_is_killed(made, 10)
