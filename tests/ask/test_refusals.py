"""gemba-ask where it may not or can't ask: the exit code, the reason, and nothing written."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gemba_core.home import log_path
from tests.ask.agent import QUESTION, SESSION, gemba_ask
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import frames

ROLE = ("--kind", "question", "--role", "coach")


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ((), "--text"),
        (("--text", "x"), "--kind and --role"),
        (("--text", "x", "--kind", "question"), "--role"),
        (("--text", "x", "--role", "coach"), "--kind"),
        (("--text", "x", "--kind", "plea", "--role", "coach"), "plea"),
        (("--text", "x", "--kind", "question", "--role", "boss"), "boss"),
        ((*ROLE, "--text", ""), "empty"),
        ((*ROLE, "--text", " \n\t"), "empty"),
        ((*ROLE, "--text", "\x1b\x07"), "empty"),
        ((*ROLE, "--text", "-"), "empty"),
        ((*ROLE, "--text-file", "/nowhere/question.md"), "/nowhere/question.md"),
        ((*ROLE, "--text", "x", "--text-file", "y"), "once"),
        ((*ROLE, "--text", "x", "--option", "=Label"), "=Label"),
        ((*ROLE, "--text", "x", "--option", "a", "--option", "a=b"), "same value"),
        ((*ROLE, "--text", "x", "--timeout", "10m"), "--wait"),
        ((*ROLE, "--text", "x", "--wait", "--timeout", "soon"), "soon"),
        ((*ROLE, "--text", "x", "--wait", "--timeout", "0"), "'0'"),
        ((*ROLE, "--text", "x", "--wait", "--timeout", "-5s"), "-5s"),
        ((*ROLE, "--text", "x", "--colour", "blue"), "--colour"),
        ((*ROLE, "--text", "x", "more"), "more"),
        (("--kind", "blocker", "--role", "coach", "--text", "x"), "coach never raises a blocker"),
        (("--resume", "0123456789abcdef"), "--wait"),
        (("--resume", "0123456789abcdef", "--wait", "--text", "x"), "--resume"),
        (("--resume", "0123456789abcdef", "--wait"), "no such escalation"),
        (("--resume", "../../elsewhere/x", "--wait"), "no such escalation"),
    ],
)
def test_a_wrong_call_is_exit_2(args: tuple[str, ...], reason: str) -> None:
    """Standard error names what is wrong, and nothing is asked."""
    done = gemba_ask(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert frames() == []


def test_resuming_what_does_not_exist_leaves_nothing_behind() -> None:
    """Whatever the id looks like, no folder or file is made of it."""
    gemba_ask("--resume", "../../elsewhere/x", "--wait")
    assert [path.name for path in Path(os.environ["GEMBA_HOME"]).rglob("*")] == ["sessions"]


@pytest.mark.parametrize("kind", ["question", "blocker"])
def test_in_dangerous_mode_nobody_is_asked(kind: str) -> None:
    """The refusal tells the agent to record its assumption and proceed."""
    env = {"GEMBA_INTERACTION_MODE": "dangerous"}
    done = gemba_ask("--kind", kind, "--role", "manager", "--text", "x", env=env)
    assert (done.returncode, done.stdout) == (2, "")
    assert "record your assumption and proceed" in done.stderr
    assert not Path(os.environ["GEMBA_HOME"]).exists()


def test_a_mode_that_does_not_exist_is_exit_2() -> None:
    """The three modes are named."""
    done = gemba_ask(*QUESTION, env={"GEMBA_INTERACTION_MODE": "reckless"})
    assert done.returncode == 2
    assert all(word in done.stderr for word in ("reckless", "dangerous", "balanced", "cautious"))
    assert not Path(os.environ["GEMBA_HOME"]).exists()


def test_without_a_session_it_says_what_to_set() -> None:
    """Neither a session id nor a pane: exit 2."""
    done = gemba_ask(*QUESTION, env={"GEMBA_SESSION_ID": ""})
    assert done.returncode == 2
    assert "GEMBA_SESSION_ID" in done.stderr
    assert not Path(os.environ["GEMBA_HOME"]).exists()


def test_over_a_mebibyte_is_refused() -> None:
    """A text is never cut silently."""
    done = gemba_ask(*ROLE, "--text", "-", input="x" * (1 << 20) + "y")
    assert done.returncode == 2
    assert "1 MiB" in done.stderr
    assert not Path(os.environ["GEMBA_HOME"]).exists()


def _home_is_a_file(home: Path) -> Path:
    home.write_text("mine")
    return home


def _home_is_below_a_file(home: Path) -> Path:
    home.symlink_to("/dev/null/nowhere")
    return home


def _sessions_is_a_file(home: Path) -> Path:
    home.mkdir()
    (home / "sessions").write_text("mine")
    return home / "sessions"


def _log_is_a_folder(home: Path) -> Path:
    path = Path(log_path("s1"))
    path.mkdir(parents=True)
    return path


def _log_is_a_link(home: Path) -> Path:
    path = Path(log_path("s1"))
    path.parent.mkdir(parents=True)
    elsewhere = home / "elsewhere"
    elsewhere.write_text("mine")
    path.symlink_to(elsewhere)
    return path


def _log_is_a_fifo(home: Path) -> Path:
    path = Path(log_path("s1"))
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    "spoil",
    [
        _home_is_a_file,
        _home_is_below_a_file,
        _sessions_is_a_file,
        _log_is_a_folder,
        _log_is_a_link,
        _log_is_a_fifo,
    ],
)
@pytest.mark.parametrize("wait", [(), ("--wait",)])
def test_where_nothing_can_be_written_it_is_exit_1(
    spoil: Callable[[Path], Path], wait: tuple[str, ...]
) -> None:
    """One line names the place, nothing hangs, and what stands there is untouched."""
    home = Path(os.environ["GEMBA_HOME"])
    where = spoil(home)
    before = _contents(home)
    done = gemba_ask(*QUESTION, *wait)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(where) in done.stderr
    assert "Traceback" not in done.stderr
    assert _contents(home) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_is_exit_1() -> None:
    """It says that permission is missing, and where."""
    home = Path(os.environ["GEMBA_HOME"])
    home.mkdir(mode=0o500)
    done = gemba_ask(*QUESTION)
    assert done.returncode == 1
    assert "no permission" in done.stderr
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("wait", [(), ("--wait",)])
def test_a_full_disk_is_exit_1_and_no_part_of_a_frame_is_left(wait: tuple[str, ...]) -> None:
    """A log that may not grow stays as it was."""
    gemba_ask(*QUESTION)
    before = Path(log_path("s1")).read_bytes()
    script = f'ulimit -f 1; exec "{SCRIPTS / "gemba-ask"}" "$@"'
    long = ("--kind", "question", "--role", "coach", "--text", "x" * 4000)
    command = ["bash", "-c", script, "-", *long, *wait]
    done = subprocess.run(command, env=environment(SESSION), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert log_path("s1") in done.stderr
    assert Path(log_path("s1")).read_bytes() == before


def _contents(home: Path) -> dict[str, str | None]:
    """Every path from `home` on, with the text of those that are plain files."""
    paths = [home, *home.rglob("*")] if home.is_dir() else [home]
    return {str(path): path.read_text() if path.is_file() else None for path in paths}
