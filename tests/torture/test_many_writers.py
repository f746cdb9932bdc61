"""Many processes append at once: every frame is there exactly once, and no line is torn."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.torture.machine import ROOT

WRITERS = 64
FRAMES = 2000
WAYS = ("append", "append_hook")


def _write_all(
    folder: Path, *, way: str, writers: int, frames: int, logs: int, fault: str = ""
) -> None:
    """Let so many processes loop at once, each with frames of its own, over so many logs."""
    paths = [folder / f"log-{number}.jsonl" for number in range(logs)]
    gate, opener = os.pipe()
    command = [sys.executable, "-m", "tests.torture.programs.writer", way, str(frames), fault]
    processes = []
    try:
        for writer in range(writers):
            argv = [*command, f"{writer:08x}", str(paths[writer % logs])]
            processes.append(subprocess.Popen(argv, stdin=gate, cwd=ROOT, stderr=subprocess.PIPE))
        # All of them wait for the end of their input, and begin at once.
        os.close(opener)
        said = b"".join(process.communicate()[1] for process in processes)
        assert [process.returncode for process in processes] == [0] * writers, said.decode()
    finally:
        os.close(gate)
        for process in processes:
            process.kill()


def _check(folder: Path, *, writers: int, frames: int) -> None:
    """Every frame once, each on a line of its own, and nothing else."""
    data = b"".join(path.read_bytes() for path in sorted(folder.glob("*.jsonl")))
    assert data.endswith(b"\n")
    found = Counter(json.loads(line)["event_id"] for line in data.split(b"\n") if line)
    wanted = {f"{one:08x}{number:08x}" for one in range(writers) for number in range(frames)}
    assert set(found) == wanted
    assert set(found.values()) == {1}


@pytest.mark.torture
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("logs", [1, WRITERS])
def test_many_writers_lose_and_tear_nothing(tmp_path: Path, way: str, logs: int) -> None:
    """64 processes with 2,000 frames each, into one log or into 64: every frame is there once."""
    _write_all(tmp_path, way=way, writers=WRITERS, frames=FRAMES, logs=logs)
    _check(tmp_path, writers=WRITERS, frames=FRAMES)


@pytest.mark.parametrize("way", WAYS)
def test_a_few_writers_lose_and_tear_nothing(tmp_path: Path, way: str) -> None:
    """8 processes with 250 frames each, into one log: every frame is there once."""
    _write_all(tmp_path, way=way, writers=8, frames=250, logs=1)
    _check(tmp_path, writers=8, frames=250)


def test_writers_without_lock_and_o_append_are_caught(tmp_path: Path) -> None:
    """Processes that append as most programs do lose frames, and the check sees it."""
    fault = "appends without lock and O_APPEND"
    _write_all(tmp_path, way="append", writers=8, frames=250, logs=1, fault=fault)
    with pytest.raises((AssertionError, json.JSONDecodeError)):
        _check(tmp_path, writers=8, frames=250)
