"""Fixtures for every test: an environment of its own, and a terminal multiplexer of its own."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.tmux_server import TmuxServer

IN_CI = bool(os.environ.get("CI"))

# A run in a shell's background ignores Ctrl-C, and all that it starts would with it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: on a shared machine a slow example says nothing. The same examples each time in CI:
# a red run there must be the change's fault.
hypothesis.settings.register_profile("gemba", deadline=None, derandomize=IN_CI)
hypothesis.settings.load_profile("gemba")

# What tells a program that it runs inside an agent, a session or a terminal pane. The tests
# themselves are often run by an agent in a pane.
_MARKS = (
    "GEMBA_",
    "CLAUDE_",
    "CODEX_",
    "GEMINI_",
    "CURSOR_",
    "OPENCODE",
)
_MARK_NAMES = frozenset({"TMUX", "TMUX_PANE", "CLAUDECODE"})


@pytest.fixture(autouse=True)
def isolated_environment(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside any agent, with a Gemba home that does not exist yet and an empty user's home."""
    for name in list(os.environ):
        if name in _MARK_NAMES or name.startswith(_MARKS):
            monkeypatch.delenv(name)
    # What one process has compiled the next ones find: there are thousands of them.
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    # Beside tmp_path and not in it: a test may count on finding there only what it made.
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("user")))
    monkeypatch.setenv("GEMBA_HOME", str(tmp_path / "home"))


@pytest.fixture
def tmux(isolated_environment: None) -> Iterator[TmuxServer]:
    """A tmux server of this test's own, gone with it. In CI a missing tmux is a failure."""
    if shutil.which("tmux") is None:
        reason = "tmux is not installed: nothing can be typed into a real pane"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    server = TmuxServer()
    try:
        yield server
    finally:
        server.close()
