"""A permission that its waiting hook hands in, as the operator decided."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from gemba_core.errors import GembaError
from gemba_core.inbox import deliver
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.settle import Settled
from gemba_core.index import Index
from gemba_core.lifelock import is_held
from tests.bridge.test_questions import configured
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import answer, delivery, frames, hook, shown
from tests.waiting import wait_until

BASH, EDIT = {"command": "ls", "timeout": 5}, {"file_path": "/a", "old_string": "x"}


@contextmanager
def waiting(
    folder: Path, tool: str, given: object, agent: str = "claude"
) -> Iterator[subprocess.Popen[str]]:
    """The hook, while it waits for the operator."""
    configured(folder, 'permissions = "inbox"\npermission_timeout = 60', agent)
    call = json.dumps({"session_id": "c1", "tool_name": tool, "tool_input": given})
    process = subprocess.Popen(
        [str(SCRIPTS / "gemba-bridge"), "PermissionRequest"],
        env=environment({"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": agent}),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    process.stdin.write(call)
    process.stdin.close()
    process.stdin = None
    try:
        wait_until(lambda: frames("PermissionRequest"), what="the request in the inbox")
        yield process
    finally:
        process.kill()
        process.communicate()


def request() -> str:
    """The escalation that the request opened."""
    [frame] = frames("PermissionRequest")
    return str(frame["event_id"])


def test_an_edited_command_takes_the_place_of_the_one_that_was_asked_for(tmp_path: Path) -> None:
    """What else the call holds stays as it was."""
    with waiting(tmp_path, "Bash", BASH) as process:
        answer(request(), value="ls -l")
        out, _ = process.communicate(timeout=20)
    decision = json.loads(out)["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "allow", "updatedInput": BASH | {"command": "ls -l"}}
    assert delivery(request())[0] == "submitted"


def test_a_tool_that_runs_no_command_is_given_none(tmp_path: Path) -> None:
    """Refused where the operator answers, with what to do instead; the request stays open."""
    with waiting(tmp_path, "Edit", EDIT) as process:
        with pytest.raises(GembaError, match="in place of this Edit: approve it, or deny it"):
            answer(request(), value="ls -l")
        assert shown(request()).state == "open"
        assert process.poll() is None


@pytest.mark.parametrize(
    ("agent", "tool", "takes"),
    [
        ("claude", "Bash", ["modify", "always"]),
        ("claude", "Edit", ["always"]),
        ("codex", "Bash", []),
    ],
)
def test_it_says_what_it_takes_beside_yes_and_no(
    tmp_path: Path, agent: str, tool: str, takes: list[str]
) -> None:
    """For every surface to offer that, and no more."""
    with waiting(tmp_path, tool, BASH, agent):
        assert shown(request()).takes == takes


def test_a_lasting_rule_is_refused_where_the_client_takes_none(tmp_path: Path) -> None:
    """It would be dropped in silence; the request stays open for a plain yes."""
    with waiting(tmp_path, "Bash", BASH, "codex") as process:
        with pytest.raises(GembaError, match="takes no lasting rule: approve this one call"):
            answer(request(), kind="approve", value=None, always=True)
        assert process.poll() is None
        answer(request(), kind="approve", value=None)
        out, _ = process.communicate(timeout=20)
    assert json.loads(out)["hookSpecificOutput"]["decision"] == {"behavior": "allow"}


def test_a_command_for_another_tool_never_reaches_the_agent(tmp_path: Path) -> None:
    """However the decision came into the log: its own dialog decides, and that is shown."""
    with waiting(tmp_path, "Edit", EDIT) as process:
        hook(
            "GembaResolve",
            escalation_ids=[request()],
            resolution_id="r1",
            kind="modify",
            value="ls -l",
            resolved_by="anna",
            nonce="n",
            via="cli",
        )
        out, _ = process.communicate(timeout=20)
    assert out == ""
    assert delivery(request())[0] == "failed"


def approved() -> Settled:
    """The operator's decision, on the record."""
    [settled] = answer(request(), kind="approve", value=None)
    return settled


def test_what_the_hook_hands_in_while_we_look_is_not_put_down_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deliverer read that it is due, and finds no hook that waits: it had done its work."""
    with waiting(tmp_path, "Bash", BASH) as process:

        def late(path: str) -> bool:
            process.communicate(timeout=20)
            return is_held(path)

        monkeypatch.setattr(deliver, "is_held", late)
        one = approved()
        report = use_index(lambda index: deliver.deliver(index, one.session_id, one.resolution_id))
    assert (report.status, delivery(request())[0]) == ("submitted", "submitted")


def test_a_hook_that_has_just_ended_is_not_taken_for_a_dead_one(tmp_path: Path) -> None:
    """The deliverer read that the hook has it in hand, and finds that it lives no more."""
    with waiting(tmp_path, "Bash", BASH) as process:
        one = approved()
        process.communicate(timeout=20)

    def from_a_moment_ago(index: Index) -> deliver.Report:
        due = index.delivery(one.session_id, one.resolution_id)
        assert due is not None
        return deliver.tried(index, replace(due, status="claimed", lock="sessions/gone.wait"))

    assert use_index(from_a_moment_ago).status == "submitted"
    assert "uncertain" not in [frame["payload"]["status"] for frame in frames("GembaDelivery")]
