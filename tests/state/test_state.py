"""gemba-state: the agent's own word about its state."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gemba_core.frame.vocabulary import STATES
from tests.commands import run_cli
from tests.inbox.scene import ask, frames, payloads, shown

SESSION = {"GEMBA_SESSION_ID": "s1"}


def session() -> dict[str, Any]:
    """The session as the operator's list has it."""
    [found] = json.loads(run_cli("gemba", "sessions", "list", "--json").stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("state", STATES)
def test_each_state_is_the_status_of_the_session(state: str) -> None:
    """It says nothing itself, and the operator sees it."""
    done = run_cli("gemba-state", state, env=SESSION)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert session()["status"] == state


def test_work_item_and_note_are_kept() -> None:
    """A few words for the operator."""
    run_cli("gemba-state", "working", "--bead", "gm-12", "--note", "tests first", env=SESSION)
    assert (session()["work_item_id"], session()["note"]) == ("gm-12", "tests first")


def test_what_is_not_given_is_not_written() -> None:
    """No key without a value."""
    run_cli("gemba-state", "ready", env=SESSION)
    assert payloads("GembaState") == [{"state": "ready"}]


def test_a_state_never_changes_an_escalation() -> None:
    """An agent that works on while it asks has asked all the same."""
    item = ask()
    run_cli("gemba-state", "ready", env=SESSION)
    assert shown(item).state == "open"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ((), "Missing argument"),
        (("busy",), "busy"),
        (("completed",), "completed"),
        (("ready", "working"), "working"),
        (("ready", "--mood", "good"), "--mood"),
    ],
)
def test_a_wrong_call_is_exit_2(args: tuple[str, ...], reason: str) -> None:
    """What ends a session is not for the agent to say; nothing is written."""
    done = run_cli("gemba-state", *args, env=SESSION)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert frames() == []


def test_without_a_session_it_says_what_to_set() -> None:
    """Exit 2."""
    done = run_cli("gemba-state", "ready")
    assert done.returncode == 2
    assert "GEMBA_SESSION_ID" in done.stderr


def test_where_nothing_can_be_written_it_is_exit_1() -> None:
    """One line names the place."""
    home = Path(os.environ["GEMBA_HOME"])
    home.write_text("mine")
    done = run_cli("gemba-state", "ready", env=SESSION)
    assert done.returncode == 1
    assert str(home) in done.stderr
    assert "Traceback" not in done.stderr
