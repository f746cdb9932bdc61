"""What runs in a pane starts the agent as if nobody stood between them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from gemba_core.orchestration.native import enter, launching, places

Ran = tuple[int, dict[str, Any], str]
Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a shell script as the agent: its exit status, what was told of it, what it printed."""

    def run(script: str, *, program: str = "/bin/sh", own_pane: bool = False) -> Ran:
        path = tmp_path / "launch"
        launch = {
            "argv": [program, "-c", script],
            "environment": {"PATH": "/usr/bin:/bin", "A": "1"},
            "folder": str(tmp_path),
            "own_pane": own_pane,
        }
        path.write_text(json.dumps(launch))
        done = subprocess.run(
            [sys.executable, "-I", "-S", enter.__file__, str(path)],
            env={"TERM": "screen", "TMUX": "t", "TMUX_PANE": "%1", "OTHER": "1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.returncode, json.loads(path.read_text()), done.stdout

    return run


@pytest.mark.parametrize(("script", "status"), [("exit 5", 5), ("kill -TERM $$", 143)])
def test_its_exit_status_is_handed_on(run: Run, script: str, status: int) -> None:
    """A signal's as a shell tells it."""
    assert run(script)[0] == status


def test_the_agents_process_is_told(run: Run) -> None:
    """In the place of what was to be started, which holds secrets."""
    _, said, printed = run("echo $$")
    assert said == {"agent": int(printed)}


def test_a_program_that_is_not_there_is_told(run: Run) -> None:
    """By name, and with the system's reason."""
    status, said, _ = run("", program="/no/such/program")
    assert status == 127
    assert list(said) == ["error"]
    assert "/no/such/program" in said["error"]


def test_no_signal_is_ignored_by_inheritance(run: Run) -> None:
    """Neither what we leave to the agent, nor what this interpreter ignores for itself."""
    _, _, printed = run("grep SigIgn /proc/self/status")
    # Those above 31 are the system library's own.
    assert int(printed.split()[1], 16) & 0x7FFFFFFF == 0


@pytest.mark.parametrize(("own_pane", "shown"), [(True, "screen t %1"), (False, "screen")])
def test_only_an_agent_that_may_know_its_pane_does(run: Run, own_pane: bool, shown: str) -> None:
    """The kind of the terminal is for all; of the server's environment there is nothing else."""
    _, _, printed = run("echo $TERM $TMUX $TMUX_PANE $OTHER", own_pane=own_pane)
    assert printed.strip() == shown


def test_it_begins_in_its_folder(run: Run, tmp_path: Path) -> None:
    """With the environment that was composed for it."""
    assert run("pwd; echo $A")[2].split() == [str(tmp_path), "1"]


def test_what_a_kill_left_half_written_is_forgotten_too() -> None:
    """And nothing of another session, whose id begins alike."""
    path = Path(places.launch_path("a"))
    other = Path(places.launch_path("ab"))
    for one in (path, other, *(Path(f"{path}{end}") for end in (".1234", ".new", ".exit"))):
        home.write_private(str(one), b"")
    launching.forget("a")
    assert os.listdir(places.scopes_dir()) == [other.name]
