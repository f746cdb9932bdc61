"""Appending: one line, whole or not at all, never glued to another."""

import os
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gemba_core import home, log
from gemba_core.errors import LogError
from gemba_core.log import Log, append, append_hook, record
from tests.builders import frame
from tests.commands import run_cli
from tests.log.locked import held_by_another
from tests.waiting import wait_until

NEEDS_PROC = pytest.mark.skipif(
    not os.path.exists("/proc/self/fd"), reason="who waits is seen in /proc"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log that is not there yet, nor its folders."""
    return tmp_path / "home" / "sessions" / "s.jsonl"


def mode(path: Path) -> int:
    """The permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_readable_by_their_owner_only(path: Path) -> None:
    """Logs hold prompts and secrets: 0600, in folders with 0700, whatever the umask allows."""
    before = os.umask(0)
    try:
        append(str(path), frame("Stop"))
    finally:
        os.umask(before)
    assert mode(path) == 0o600
    assert mode(path.parent) == 0o700
    assert mode(path.parent.parent) == 0o700


def test_a_log_that_others_may_read_is_closed_to_them(path: Path) -> None:
    """Another program, or a copy, left it open."""
    append(str(path), frame("Stop"))
    path.chmod(0o644)
    append(str(path), frame("Stop"))
    assert mode(path) == 0o600


def test_lines_follow_each_other_without_anything_between(path: Path) -> None:
    """No empty lines where nothing was torn."""
    lines = [frame("Stop"), frame("PreToolUse")]
    for line in lines:
        append(str(path), line)
    assert path.read_bytes() == b"".join(lines)


def test_a_torn_line_stays_alone(path: Path) -> None:
    """What a crash left without its newline does not swallow the next frame."""
    append(str(path), frame("Stop"))
    with path.open("ab") as file:
        file.write(b'{"ts":"20')
    line = frame("PreToolUse")
    append(str(path), line)
    assert path.read_bytes().endswith(b'\n{"ts":"20\n' + line)


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda path: path.symlink_to(path.parent / "elsewhere"), "symbolic link"),
        (lambda path: path.mkdir(), "it is a folder"),
        (lambda path: os.mkfifo(path), "not a regular file; move it away"),
    ],
    ids=["symlink", "folder", "fifo"],
)
def test_what_is_no_regular_file_is_refused(path: Path, make: object, advice: str) -> None:
    """The message names the path and what to do; nothing is written anywhere."""
    path.parent.mkdir(parents=True)
    assert callable(make)
    make(path)
    with pytest.raises(LogError) as refused:
        append(str(path), frame("Stop"))
    assert str(path) in str(refused.value)
    assert advice in str(refused.value)
    assert not (path.parent / "elsewhere").exists()


def test_a_home_that_is_a_file_is_refused(path: Path) -> None:
    """The message says which part of the path is no folder, and what to set."""
    path.parent.parent.write_text("")
    with pytest.raises(LogError, match="set GEMBA_HOME to a folder") as refused:
        append(str(path), frame("Stop"))
    assert str(path.parent.parent) in str(refused.value)


def test_a_read_only_home_is_refused(path: Path, as_nobody: Path) -> None:
    """The message says what to do, and whose folder it is."""
    with pytest.raises(LogError, match="no permission; check who owns it") as refused:
        append(str(as_nobody / "home" / "sessions" / "s.jsonl"), frame("Stop"))
    assert str(as_nobody / "home") in str(refused.value)


# Appends line after line until it fails, then says why and how many there are.
UNTIL_FULL = """
import resource, sys
from gemba_core.errors import LogError
from gemba_core.log import append
path, line, limit = sys.argv[1], sys.argv[2].encode() + b"\\n", int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
count = 0
try:
    while True:
        append(path, line)
        count += 1
except LogError as error:
    print(count, error)
"""


def test_on_a_full_disk_a_half_write_is_taken_back(path: Path) -> None:
    """What was reported as failed never becomes a frame; the message says what to do."""
    line, limit = frame("Stop"), 1000
    whole, rest = divmod(limit, len(line))
    assert rest, "the last write would not be cut"
    command = [sys.executable, "-c", UNTIL_FULL, str(path), line[:-1].decode(), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count, _, why = done.stdout.strip().partition(" ")
    assert int(count) == whole
    assert path.read_bytes() == line * whole
    assert str(path) in why
    assert "raise the limit" in why


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_says_so() -> None:
    """The error that a full disk gives, from the one file that always gives it."""
    full = Log.__new__(Log)
    full.path, full.fd = "/dev/full", os.open("/dev/full", os.O_RDWR)
    with full, pytest.raises(LogError, match=r"/dev/full: .*: the disk is full; free some space"):
        full.write(frame("Stop"))


@NEEDS_PROC
def test_an_append_waits_for_the_lock(path: Path) -> None:
    """And goes on as soon as it is free."""
    append(str(path), frame("Stop"))
    with held_by_another(path):
        waiter = threading.Thread(target=append, args=(str(path), frame("PreToolUse")))
        waiter.start()
        wait_until(lambda: opened_by(path) >= 2, what="the waiting writer")
        assert path.read_bytes().count(b"\n") == 1
    waiter.join(timeout=10)
    assert path.read_bytes().count(b"\n") == 2


def test_an_append_that_never_gets_the_lock_writes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives up with a message that names the path."""
    append(str(path), frame("Stop"))
    before = path.read_bytes()
    monkeypatch.setattr(Log.lock, "__defaults__", (0.02,))
    with held_by_another(path), pytest.raises(LogError, match="another process has held the lock"):
        append(str(path), frame("Stop"))
    assert path.read_bytes() == before


def test_the_bridge_appends_without_the_lock_after_a_second(path: Path) -> None:
    """No agent hangs on a lock; a newline goes first, since nothing is known of the line before."""
    append(str(path), frame("Stop"))
    with held_by_another(path):
        began = time.monotonic()
        done = run_cli("gemba-bridge", "Stop", env={"GEMBA_SESSION_ID": "s"}, timeout=10)
        took = time.monotonic() - began
    assert (done.returncode, done.stderr) == (0, "")
    lines = path.read_bytes().split(b"\n")
    assert [bool(line) for line in lines] == [True, False, True, False]
    assert took >= 1.0


def test_a_hook_takes_the_lock_where_it_is_free(path: Path) -> None:
    """Then no newline goes first."""
    append_hook(str(path), frame("Stop"))
    append_hook(str(path), frame("Stop"))
    assert path.read_bytes().count(b"\n") == 2


@NEEDS_PROC
def test_a_log_pruned_while_a_writer_waits_loses_nothing(path: Path) -> None:
    """The waiting frame goes into a new log, not away with the old one."""
    append(str(path), frame("SessionEnd"))
    line = frame("SessionStart")
    with held_by_another(path):
        waiter = threading.Thread(target=append, args=(str(path), line))
        waiter.start()
        wait_until(lambda: opened_by(path) >= 2, what="the waiting writer")
        path.unlink()
    waiter.join(timeout=10)
    assert path.read_bytes() == line
    assert mode(path) == 0o600


@NEEDS_PROC
def test_a_writer_that_finds_no_log_to_write_to_any_more_says_so(path: Path) -> None:
    """A folder was put in the pruned log's place: the same message as at the beginning."""
    append(str(path), frame("SessionEnd"))
    with ThreadPoolExecutor(1) as pool:
        with held_by_another(path):
            waiter = pool.submit(append, str(path), frame("SessionStart"))
            wait_until(lambda: opened_by(path) >= 2, what="the waiting writer")
            path.unlink()
            path.mkdir()
        with pytest.raises(LogError, match="it is a folder"):
            waiter.result(timeout=10)


def opened_by(path: Path) -> int:
    """How many descriptors of this process are that file."""
    found = 0
    for entry in os.scandir("/proc/self/fd"):
        try:
            found += os.readlink(entry.path) == str(path)
        except FileNotFoundError:
            continue
    return found


@pytest.mark.parametrize("error", ["sync", "folder"])
def test_a_failed_sync_says_that_the_line_was_written(
    path: Path, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking again would ask twice."""

    def broken(fd: int) -> None:
        raise OSError(5, "Input/output error")

    if error == "sync":
        monkeypatch.setattr(log, "_datasync", broken)
    else:
        monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(LogError, match="written, but not synced"):
        append(str(path), frame("Stop"))
    assert path.read_bytes().count(b"\n") == 1


def test_a_frame_of_our_own_leaves_out_what_has_no_value() -> None:
    """The wire's optional keys are absent, not null."""
    record("s", "GembaState", {"state": "ready", "note": None})
    with open(home.log_path("s"), "rb") as file:
        assert b'"payload":{"state":"ready"}' in file.read()
