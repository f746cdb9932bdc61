"""gemba index: a projection that is mended, rebuilt and deleted without a loss."""

import json
import os
import stat
from pathlib import Path

import pytest

from gemba_core.home import index_path, log_path
from gemba_core.log import append
from tests.inbox.scene import answer, ask, hook
from tests.operator.desk import escalations, gemba, told


def test_status_counts_what_is_read() -> None:
    """Path, generation, logs and bytes."""
    ask()
    status = told("index", "status")
    assert status["path"] == index_path()
    assert (status["logs"], status["bytes"]) == (1, Path(log_path("s1")).stat().st_size)
    assert "1 log read" in gemba("index", "status").stdout


def test_status_names_bad_lines_and_dropped_frames() -> None:
    """By log and by reason."""
    append(log_path("s1"), b"no frame\n")
    hook("GembaAsk", kind="blocker", role="coach", text="by hand")
    hook("GembaAsk", kind="question", role="coach", text="by hand", mode="dangerous")
    status = told("index", "status")
    assert [log["bad_lines"] for log in status["bad_lines"]] == [1]
    reasons = {one["reason"]: one["count"] for one in status["dropped"]}
    assert reasons == {"role_forbids": 1, "mode_forbids": 1}
    page = gemba("index", "status").stdout
    assert "1 bad line;" in page
    assert "role_forbids" in page


def test_rebuild_gives_the_same_rows() -> None:
    """Settled ones included: the logs are the truth."""
    answer(ask("one"))
    ask("two", session="s2")
    before = told("escalations", "list", "--all")
    generation = told("index", "status")["generation"]
    assert gemba("index", "rebuild").stdout == "rebuilt from 2 logs\n"
    assert told("escalations", "list", "--all") == before
    assert told("index", "status")["generation"] == generation + 1


def test_a_deleted_index_comes_back() -> None:
    """By itself, at the next command."""
    answer(ask())
    before = told("escalations", "list", "--all")
    for suffix in ("", "-wal", "-shm"):
        Path(index_path() + suffix).unlink(missing_ok=True)
    assert told("escalations", "list", "--all") == before


@pytest.mark.parametrize("spoil", [b"this is no database", b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_corrupt_index_is_set_aside_and_said(spoil: bytes) -> None:
    """It is kept, built anew from the logs, and nothing is lost."""
    item = ask()
    told("index", "status")
    Path(index_path()).write_bytes(spoil)
    done = escalations("list", "--json")
    assert done.returncode == 0
    assert [one["id"] for one in json.loads(done.stdout)] == [item]
    assert "kept as" in done.stderr
    [kept] = Path(index_path()).parent.glob("index.db.set-aside-*")
    assert kept.read_bytes() == spoil
    assert escalations("list").stderr == ""


def test_a_corrupt_index_does_not_cost_an_answer() -> None:
    """Answering is done from the log in the same call."""
    item = ask()
    told("index", "status")
    Path(index_path()).write_bytes(b"this is no database")
    assert escalations("respond", item, "blue").returncode == 0
    assert told("escalations", "show", item)["resolution"]["value"] == "blue"


def test_the_index_is_private() -> None:
    """It holds what the logs hold."""
    ask()
    told("index", "status")
    assert stat.S_IMODE(os.stat(index_path()).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.environ["GEMBA_HOME"]).st_mode) == 0o700


def test_an_index_that_cannot_be_made_is_exit_1() -> None:
    """The message names it and says that the logs are untouched."""
    ask()
    Path(index_path()).mkdir()
    done = escalations("list")
    assert (done.returncode, done.stdout) == (1, "")
    assert index_path() in done.stderr
    assert "logs are untouched" in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("escalations", "list"),
        ("escalations", "show", "aa"),
        ("escalations", "respond", "aa", "x"),
        ("escalations", "approve", "aa"),
        ("sessions", "list"),
        ("deliver",),
        ("tick",),
        ("log", "prune", "--older-than", "1d"),
        ("index", "status"),
        ("index", "rebuild"),
    ],
)
def test_a_home_that_is_a_file_is_exit_1(args: tuple[str, ...]) -> None:
    """Each command says which file stands in the way."""
    home = Path(os.environ["GEMBA_HOME"])
    home.write_text("mine")
    done = gemba(*args)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(home) in done.stderr
    assert home.read_text() == "mine"


def test_a_sessions_folder_that_is_a_file_is_named() -> None:
    """Nothing could be read, and standard error says so."""
    home = Path(os.environ["GEMBA_HOME"])
    home.mkdir()
    (home / "sessions").write_text("mine")
    done = escalations("list")
    assert (done.returncode, done.stdout) == (1, "")
    assert str(home / "sessions") in done.stderr
