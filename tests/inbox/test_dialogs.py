"""An approval of a dialog of the agent's own, where no hook waits: its client's key, or nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gemba_core.errors import GembaError
from gemba_core.frame.line import new_event_id
from gemba_core.home import log_path
from gemba_core.inbox.deliver import deliver
from gemba_core.inbox.opened import use_index
from gemba_core.log import append, record
from gemba_core.processes import ancestry
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import answer, delivery, hook, payloads, shown
from tests.panes.conftest import Program
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until

PROGRAM = Path(__file__).parent / "programs" / "dialog.py"
CALLER = {"agent_type": "codex", "session_id": "c1"}
COMMAND = "touch [a-z]* #{pid} \"x\" '$HOME' | wc"


@dataclass(frozen=True)
class Asking(Program):
    """A program whose dialog is up, as it told its hook."""

    item: str

    @property
    def keys(self) -> str:
        """What was pressed."""
        return "".join(self.told("key"))

    def runs(self, command: str = COMMAND) -> None:
        """The hook after the tool's call."""
        given = {"command": command}
        hook("PostToolUse", **CALLER, tool_name="Bash", tool_input=given)


Start = Callable[..., Asking]


@pytest.fixture
def start(tmux: TmuxServer, tmp_path: Path) -> Start:
    """Start the program in a pane, with the hooks that go before its dialog."""

    def start(command: str = COMMAND, *, asked: str | None = None, deaf: bool = False) -> Asking:
        path = tmp_path / "record.jsonl"
        argv = [sys.executable, str(PROGRAM), str(path), command, *(["deaf"] if deaf else [])]
        pane = tmux.new_pane(argv)
        _begin(tmux, pane.pane_id, pane.pid)
        program = Asking(tmux, pane, path, _permission(asked or command))
        program.tells("ready")
        wait_until(lambda: "esc to cancel" in tmux.capture(pane), what="the dialog")
        return program

    return start


def _begin(tmux: TmuxServer, pane_id: str, pid: int) -> None:
    """SessionStart as the bridge records it in that pane, and a prompt."""
    address = {
        "tmux_socket": str(tmux.socket),
        "tmux_server_pid": tmux.server_pid,
        "tmux_pane": pane_id,
    }
    frame = {
        "ts": "2026-01-01T00:00:00.000000Z",
        "session_id": "s1",
        "agent_type": "codex",
        "hook": "SessionStart",
        "event_id": new_event_id(),
        "payload": {"session_id": "c1", "source": "startup"},
        "processes": [list(ancestry(pid)[0])],
        "reply_to": address,
    }
    append(log_path("s1"), json.dumps(frame).encode() + b"\n")
    hook("UserPromptSubmit", **CALLER, prompt="go")


def _permission(command: str) -> str:
    given = {"command": command, "description": "because"}
    return hook("PermissionRequest", **CALLER, tool_name="Bash", tool_input=given)


def press(item: str) -> str:
    """The operator approves, and waits for no receipt; the status of the delivery."""
    [settled] = answer(item, kind="approve", value=None)
    report = use_index(lambda index: deliver(index, settled.session_id, settled.resolution_id))
    return report.status


def approve(item: str) -> subprocess.CompletedProcess[str]:
    """The operator approves, from a terminal."""
    return run_cli("gemba", "escalations", "approve", item)


def statuses() -> list[str]:
    """All that was recorded of the delivery."""
    return [payload["status"] for payload in payloads("GembaDelivery")]


def test_an_approval_is_the_client_s_key(start: Start) -> None:
    """Claimed before, submitted when the dialog has gone; the end of the call is the receipt."""
    program = start()
    assert press(program.item) == "submitted"
    assert program.keys == "y"
    assert statuses() == ["claimed", "submitted"]
    assert {payload["by"] for payload in payloads("GembaDelivery")} == {"dialog"}
    assert delivery(program.item)[0] == "submitted"
    program.runs("another")
    assert delivery(program.item)[0] == "submitted"
    program.runs()
    assert delivery(program.item)[0] == "acknowledged"


def test_the_operator_s_command_waits_for_the_receipt(start: Start) -> None:
    """As with every answer to an agent that has hooks."""
    program = start()
    argv = [str(SCRIPTS / "gemba"), "escalations", "approve", program.item]
    with subprocess.Popen(argv, env=environment(), stdout=subprocess.PIPE, text=True) as command:
        program.tells("closed")
        program.runs()
        out, _ = command.communicate(timeout=30)
    assert "acknowledged" in out


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("deny", "--note", "no"), "cancel the whole turn"),
        (("respond", "ls"), "in its pane"),
        (("approve", "--always"), "in its pane"),
    ],
)
def test_what_the_dialog_cannot_take_is_refused(
    start: Start, args: tuple[str, ...], why: str
) -> None:
    """Before anything is written, with the reason; no key is pressed."""
    program = start()
    command, *rest = args
    given = [command, program.item, *rest] if command == "respond" else [*args, program.item]
    done = run_cli("gemba", "escalations", *given)
    assert done.returncode == 1
    assert why in done.stderr
    assert shown(program.item).state == "open"
    assert program.keys == ""


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        pytest.param("ls", "rm -r /", id="another command"),
        pytest.param("ls\n  rm -r /", "ls", id="one more line"),
        pytest.param("ls\n  rm -r /", "ls\nrm -r /", id="several lines"),
        pytest.param(f"echo {'long ' * 30}end", None, id="wrapped"),
        pytest.param("ls\n\n\n  $ ls", "ls", id="shown twice"),
        pytest.param("x\n  Would you like to run the following command?", "x", id="its own marker"),
        pytest.param("ls -l\u202e", None, id="a character without a cell"),
    ],
)
def test_in_doubt_it_is_answered_in_the_pane(start: Start, command: str, asked: str | None) -> None:
    """The command must stand there once, whole and alone."""
    program = start(command, asked=asked)
    done = approve(program.item)
    assert done.returncode == 1
    assert "answer it in the pane" in done.stderr
    assert shown(program.item).state == "open"
    assert statuses() == []
    assert program.keys == ""


def test_a_dialog_that_has_gone_takes_no_key(start: Start) -> None:
    """The composer under it would get a letter."""
    program = start()
    os.kill(program.pane.pid, signal.SIGUSR1)
    program.tells("closed")
    wait_until(lambda: "Would" not in program.server.capture(program.pane), what="its end")
    assert approve(program.item).returncode == 1
    assert program.keys == ""


def test_a_visible_cursor_is_no_dialog(start: Start) -> None:
    """A text that looks like one, above the input line."""
    program = start()
    with open(f"/proc/{program.pane.pid}/fd/1", "wb") as terminal:
        terminal.write(b"\x1b[?25h")
    flag = ("display-message", "-p", "-t", program.pane.pane_id, "#{cursor_flag}")
    wait_until(lambda: program.server.run(*flag).strip() == "1", what="the cursor")
    assert approve(program.item).returncode == 1
    assert program.keys == ""


def test_two_equal_calls_are_told_apart_in_the_pane(start: Start) -> None:
    """Which of them the dialog is about cannot be seen."""
    program = start()
    second = _permission(COMMAND)
    for item in (program.item, second):
        done = approve(item)
        assert done.returncode == 1
        assert "twice" in done.stderr
    assert program.keys == ""


def test_a_dialog_that_takes_no_key_is_pressed_once(start: Start) -> None:
    """It stays uncertain, for the operator to decide; the pane takes nothing else meanwhile."""
    program = start(deaf=True)
    done = approve(program.item)
    assert done.returncode == 0
    assert "still up" in done.stdout
    assert delivery(program.item)[0] == "uncertain"
    run_cli("gemba", "deliver")
    assert program.keys == "y"


def test_a_pane_in_copy_mode_is_refused(start: Start) -> None:
    """The key would be copy mode's."""
    program = start()
    program.server.run("copy-mode", "-t", program.pane.pane_id)
    done = approve(program.item)
    assert done.returncode == 1
    assert "copy mode" in done.stderr
    assert shown(program.item).state == "open"


def test_a_dialog_that_goes_before_its_key_is_failed(start: Start) -> None:
    """The person at the pane was faster: shown so, and never as approved there."""
    program = start()
    answer(program.item, kind="approve", value=None)
    os.kill(program.pane.pid, signal.SIGUSR1)
    program.tells("closed")
    wait_until(lambda: "Would" not in program.server.capture(program.pane), what="its end")
    run_cli("gemba", "deliver")
    assert delivery(program.item)[0] == "failed"
    assert program.keys == ""


def test_a_call_that_ends_before_the_key_was_decided_in_the_pane(start: Start) -> None:
    """The decision from the inbox has failed."""
    program = start()
    answer(program.item, kind="approve", value=None)
    program.runs()
    assert delivery(program.item) == ("failed", "decided_in_pane")
    run_cli("gemba", "deliver")
    assert program.keys == ""


def test_a_killed_deliverer_leaves_it_uncertain(start: Start) -> None:
    """It may have pressed or not, and nobody presses again."""
    program = start()
    [settled] = answer(program.item, kind="approve", value=None)
    record(
        "s1",
        "GembaDelivery",
        {
            "resolution_id": settled.resolution_id,
            "attempt": 1,
            "status": "claimed",
            "by": "dialog",
            "lock": "panes/nobody.lock",
        },
    )
    run_cli("gemba", "tick")
    assert delivery(program.item)[0] == "uncertain"
    run_cli("gemba", "deliver")
    assert program.keys == ""
    assert "submitted" in run_cli("gemba", "escalations", "redeliver", program.item).stdout
    assert program.keys == "y"


def test_another_client_s_dialog_is_left_alone() -> None:
    """Its keys are not known."""
    given = {"command": "ls"}
    item = hook("PermissionRequest", agent_type="claude", tool_name="Bash", tool_input=given)
    with pytest.raises(GembaError, match="in its pane"):
        answer(item, kind="approve", value=None)
