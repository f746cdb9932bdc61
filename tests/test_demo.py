"""`python -m demo`: the newcomer's first look must come true, and leave nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from demo.__main__ import FIRST_ANSWER, SECOND_ANSWER
from tests.conftest import IN_CI
from tests.waiting import wait_until

ROOT = Path(__file__).parent.parent
COMMAND = (sys.executable, "-m", "demo")

needs_tmux = pytest.mark.skipif(
    shutil.which("tmux") is None and not IN_CI, reason="tmux is not installed"
)


@pytest.fixture
def scratch() -> Iterator[Path]:
    """The folder for temporary files; its path is short enough for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="gemba-test-", dir="/tmp") as folder:
        yield Path(folder)


def play(scratch: Path, **env: str) -> CompletedProcess[str]:
    """Run the demo to its end."""
    environment = {**os.environ, "TMPDIR": str(scratch), **env}
    return subprocess.run(
        COMMAND, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100, check=False
    )


def tmux_that_fails_at(word: str, folder: Path) -> str:
    """A PATH with a tmux that refuses every call with that word in it."""
    real = shutil.which("tmux")
    wrapper = folder / "bin" / "tmux"
    wrapper.parent.mkdir()
    wrapper.write_text(
        f'#!/bin/sh\ncase "$*" in *{word}*) echo refused >&2; exit 1;; esac\nexec {real} "$@"\n'
    )
    wrapper.chmod(0o755)
    return f"{wrapper.parent}:{os.environ['PATH']}"


@needs_tmux
def test_the_answer_comes_to_the_prompt_and_to_the_waiting_call(scratch: Path) -> None:
    """Each of the two answers reaches its agent, with its receipt."""
    done = play(scratch)
    assert done.returncode == 0, done.stderr
    lines = [line.strip(" │") for line in done.stdout.splitlines()]
    assert f"I got: {FIRST_ANSWER}" in lines
    assert SECOND_ANSWER in lines
    assert [line for line in lines if line.startswith("delivery ")] == [
        "delivery  acknowledged",
        "delivery  collected",
    ]


def test_without_tmux_it_says_so_and_shows_the_waiting_way(scratch: Path) -> None:
    """A machine without tmux sees the half that needs none."""
    done = play(scratch, PATH=str(scratch))
    assert done.returncode == 0, done.stderr
    assert "tmux is not installed" in done.stdout
    assert f"\n  {SECOND_ANSWER}\n" in done.stdout


def test_inside_an_agent_it_plays_the_same(scratch: Path) -> None:
    """The marks of an agent that runs the demo do not reach the demo's operator."""
    done = play(scratch, PATH=str(scratch), CLAUDECODE="1", GEMBA_SESSION_ID="outer")
    assert done.returncode == 0, done.stderr


@needs_tmux
@pytest.mark.parametrize(
    ("refused", "said"), [("new-session", "refused"), ("paste-buffer", "the answer is failed")]
)
def test_a_step_that_does_not_come_true_is_exit_1(
    scratch: Path, tmp_path: Path, refused: str, said: str
) -> None:
    """It names what went wrong, and still cleans up."""
    done = play(scratch, PATH=tmux_that_fails_at(refused, tmp_path))
    assert done.returncode == 1
    assert said in done.stderr
    assert list(scratch.iterdir()) == []


@needs_tmux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_nothing_behind(scratch: Path, number: signal.Signals) -> None:
    """Neither its folder nor its tmux server outlives a Ctrl-C."""
    demo = subprocess.Popen(
        COMMAND,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        socket = wait_until(lambda: next(scratch.glob("*/tmux"), None), what="the tmux server")
        ask = ["tmux", "-S", str(socket), "display-message", "-p", "#{pid}"]
        server = int(wait_until(lambda: _output(ask), what="its process"))
        demo.send_signal(number)
        _, complaint = demo.communicate(timeout=30)
    finally:
        demo.kill()
        demo.communicate()
    assert demo.returncode == 128 + number
    assert "Traceback" not in complaint
    assert list(scratch.iterdir()) == []
    wait_until(lambda: not Path(f"/proc/{server}/fd/0").exists(), what="the server's end")


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
