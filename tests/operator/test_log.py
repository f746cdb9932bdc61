"""gemba log show, verify and prune: the truth, looked at and tidied up."""

import json
import os
from pathlib import Path

import pytest

from gemba_core.frame.line import encode, members_of, new_event_id
from gemba_core.home import log_path
from gemba_core.log import append
from tests.inbox.scene import ask, cancel, hook, log_bytes
from tests.operator.desk import escalations, gemba, told


def end_of(session: str, ts: str = "2020-01-01T00:00:00Z") -> None:
    """The session ended at that time."""
    line = encode(
        "SessionEnd",
        members_of({"reason": "logout"}),
        session_id=session,
        agent_type="",
        event_id=new_event_id(),
        ts=ts,
    )
    append(log_path(session), line)


def test_show_lists_the_frames_oldest_first() -> None:
    """One line each: time, hook, payload."""
    ask("Which?")
    hook("Stop")
    rows = gemba("log", "show", "s1").stdout.splitlines()
    assert ["GembaAsk" in rows[0], "Which?" in rows[0], "Stop" in rows[1]] == [True] * 3


def test_show_can_be_narrowed_to_some_hooks() -> None:
    """`--hook`, as often as wanted."""
    for name in ("Stop", "PreToolUse", "PostToolUse", "Stop"):
        hook(name)
    done = gemba("log", "show", "s1", "--hook", "Stop", "--hook", "PostToolUse", "--json")
    hooks = [json.loads(line)["hook"] for line in done.stdout.splitlines()]
    assert hooks == ["Stop", "PostToolUse", "Stop"]


def test_show_as_json_gives_the_frames_as_they_are() -> None:
    """Byte for byte."""
    ask()
    hook("Stop")
    assert gemba("log", "show", "s1", "--json").stdout.encode() == log_bytes()


def test_show_names_lines_that_are_no_frames() -> None:
    """On standard error, with file and line, and goes on."""
    hook("Stop")
    append(log_path("s1"), b"no frame\n")
    hook("Stop")
    done = gemba("log", "show", "s1")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)
    assert f"{log_path('s1')}:2:" in done.stderr


def test_two_sessions_in_one_file_are_shown_apart() -> None:
    """`a/b` and `a_b` share a file; each frame carries its own session."""
    hook("Stop", "a/b")
    hook("PreToolUse", "a_b")
    assert "PreToolUse" not in gemba("log", "show", "a/b").stdout
    assert "PreToolUse" in gemba("log", "show", "a_b").stdout


@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_log_that_is_not_there_is_exit_4(command: str) -> None:
    """And it names the file."""
    done = gemba("log", command, "nobody")
    assert done.returncode == 4
    assert log_path("nobody") in done.stderr


def test_verify_finds_nothing_in_good_logs() -> None:
    """Exit 0, also where there is no log at all."""
    assert gemba("log", "verify").returncode == 0
    ask()
    done = gemba("log", "verify")
    assert (done.returncode, done.stdout) == (0, "1 log, 0 findings\n")


def test_verify_names_each_finding_with_its_place_and_reason() -> None:
    """Lines that are no frames, and frames that changed nothing: exit 1."""
    item = ask()
    append(log_path("s1"), b"{torn\n")
    offset = len(log_bytes())
    hook("GembaAsk", kind="blocker", role="coach", text="by hand")
    cancel(item)
    hook("GembaResolve", **RESOLUTION, escalation_ids=[item])
    done = gemba("log", "verify", "s1")
    assert done.returncode == 1
    path = log_path("s1")
    rows = done.stdout.splitlines()
    assert rows[0].startswith(f"{path}:2 ")
    assert "not a frame" in rows[0]
    assert rows[1].startswith(f"{path}:3 (byte {offset})")
    assert "role_forbids" in rows[1]
    assert "already_settled" in rows[2]
    findings = json.loads(gemba("log", "verify", "--json").stdout)
    assert [finding["line"] for finding in findings] == [2, 3, 5]


RESOLUTION = {
    "resolution_id": "r",
    "kind": "approve",
    "resolved_by": "late",
    "nonce": "n",
    "via": "cli",
}


def test_verify_finds_frames_in_a_log_that_is_not_theirs() -> None:
    """A log is a closed world."""
    hook("Stop", "s1")
    Path(log_path("other")).write_bytes(log_bytes("s1"))
    done = gemba("log", "verify")
    assert done.returncode == 1
    assert "wrong_log" in done.stdout


def test_prune_removes_ended_logs_and_their_rows() -> None:
    """Old enough, ended, nothing open: file and rows are gone, the others are not."""
    ask("old", session="old")
    end_of("old")
    ask("ended lately", session="new")
    hook("SessionEnd", "new", reason="logout")
    ask("running", session="running")
    assert told("log", "prune", "--older-than", "30d", "--dry-run") == [log_path("old")]
    assert Path(log_path("old")).exists()
    done = gemba("log", "prune", "--older-than", "30d")
    assert log_path("old") in done.stdout
    left = sorted(path.name for path in Path(log_path("old")).parent.iterdir())
    assert left == ["new.jsonl", "running.jsonl"]
    sessions = {item["session_id"] for item in told("sessions", "list")}
    assert sessions == {"new", "running"}


def test_prune_keeps_what_still_has_something_open() -> None:
    """An escalation that was opened again after the end is not thrown away."""
    item = ask(session="old")
    end_of("old")
    escalations("reopen", item)
    assert told("log", "prune", "--older-than", "1d") == []
    assert Path(log_path("old")).exists()


@pytest.mark.parametrize("args", [(), ("--older-than", "long"), ("--older-than", "-1d")])
def test_prune_needs_an_age(args: tuple[str, ...]) -> None:
    """Exit 2, and nothing is removed."""
    end_of("old")
    assert gemba("log", "prune", *args).returncode == 2
    assert Path(log_path("old")).exists()


def test_a_log_that_is_a_folder_is_named_and_the_others_are_read() -> None:
    """One bad entry hides nothing else."""
    item = ask()
    Path(log_path("folder")).mkdir()
    done = escalations("list", "--json")
    assert done.returncode == 0
    assert [one["id"] for one in json.loads(done.stdout)] == [item]
    assert log_path("folder") in done.stderr


def test_a_log_that_is_a_link_is_not_followed() -> None:
    """What stands elsewhere is not ours to read."""
    ask(session="other")
    os.rename(log_path("other"), log_path("other") + ".elsewhere")
    os.symlink(log_path("other") + ".elsewhere", log_path("other"))
    done = escalations("list", "--json")
    assert json.loads(done.stdout) == []
    assert log_path("other") in done.stderr
