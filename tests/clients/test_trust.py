"""Codex runs a hook only once its person trusts it, and `gemba doctor` knows whether they do."""

import json

from tests.clients.codex import Codex
from tests.commands import run_cli
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until


def doctor(codex: Codex) -> tuple[str, str]:
    """What it says of the client's hooks: the status and the detail."""
    done = run_cli("gemba", "doctor", "--json", env={"CODEX_HOME": str(codex.home)})
    [found] = [one for one in json.loads(done.stdout) if one["check"] == "codex hooks"]
    return found["status"], found["detail"]


def test_hooks_are_in_order_once_they_are_trusted(codex: Codex, tmux: TmuxServer) -> None:
    """As the client itself notes it when the person says so at its start."""
    status, detail = doctor(codex)
    assert status == "warning"
    assert "has not noted that you trust these hooks" in detail
    pane = tmux.new_pane([codex.program, "--cd", str(codex.folder)], codex.environment)
    wait_until(
        lambda: "2. Trust all and continue" in tmux.capture(pane), timeout=30, what="its question"
    )
    tmux.run("send-keys", "-t", pane.pane_id, "2")
    wait_until(lambda: "› 2." in tmux.capture(pane), what="the choice")
    tmux.run("send-keys", "-t", pane.pane_id, "Enter")
    wait_until(lambda: doctor(codex)[0] == "ok", timeout=30, what="the trust to be noted")
