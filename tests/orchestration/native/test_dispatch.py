"""`gemba work dispatch` with real panes, worktrees and sandboxes."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.commands import SCRIPTS, environment, run_cli
from tests.operator.desk import told
from tests.orchestration.native.conftest import git
from tests.orchestration.native.scene import kill

_WORKER = f"""#!/bin/sh
id=$(printf '%s' "$GEMBA_PROMPT" | sed -n 's/.*run: gemba work done //p')
echo "$id" > result
git add result
git commit -qm "$id"
exec {SCRIPTS}/gemba work done "$id" --reason committed
"""


@pytest.fixture
def project(bwrap: None, root: Path) -> Path:
    """The project, with an agent that does its work and says so."""
    program = root / "worker.sh"
    program.write_text(_WORKER)
    program.chmod(0o755)
    with (root / ".gemba" / "agents.toml").open("a") as agents:
        agents.write(f'\n[[agent]]\nname = "worker"\nbinary = "{program}"\n')
    return root


def dispatch(project: Path) -> subprocess.CompletedProcess[str]:
    """Give the next item to the worker."""
    return run_cli("gemba", "work", "dispatch", "--agent", "worker", cwd=project, timeout=90)


def test_an_agent_says_from_its_sandbox_that_the_work_is_done(project: Path) -> None:
    """It sees no queue there; its work is on a branch of its own, and its item is done."""
    id = run_cli("gemba", "work", "add", "Do it").stdout.strip()
    done = dispatch(project)
    assert (done.returncode, done.stderr) == (0, "")
    item = told("work", "show", id)
    assert (item["state_category"], item["assignee"]) == ("done", "worker")
    assert git(project, "show", f"gemba/{item['claim']}:result") == id


def test_what_a_killed_dispatch_had_is_given_to_the_next(project: Path) -> None:
    """Killed, it undoes nothing: the next one does, once the agent is gone too."""
    id = run_cli("gemba", "work", "add", "Do it").stdout.strip()
    with subprocess.Popen(
        [str(SCRIPTS / "gemba"), "work", "dispatch", "--agent", "idle", "--json"],
        cwd=project,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as killed:
        assert killed.stdout is not None
        session = json.loads(killed.stdout.readline())["session"]["id"]
        killed.kill()
    assert told("work", "show", id)["assignee"] == "idle"
    kill(session)
    done = dispatch(project)
    assert done.returncode == 0, done.stderr
    assert f"{id}: whoever dispatched it is gone; it is open" in done.stderr
    assert told("work", "show", id)["assignee"] == "worker"
