"""`gemba work dispatch` with real panes, worktrees and sandboxes."""

import json
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.orchestration.native import adaptor as native
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import ConfirmNonce, SessionEndMode
from gemba_core.orchestration.work.lost import settle_lost
from gemba_core.orchestration.work.queue import NewItem, Queue
from tests.commands import SCRIPTS, environment, run_cli
from tests.operator.desk import told
from tests.orchestration.native.conftest import git
from tests.orchestration.native.scene import kill, started, within

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
    item = told("work", "show", id)
    assert (done.returncode, done.stderr) == (0, f"Its work: on gemba/{item['claim']}\n")
    assert f"on the branch gemba/{item['claim']}\n" in done.stdout
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


def test_what_it_had_is_settled_however_late(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when nothing shows the session any more; what is claimed for no assignment stays."""
    monkeypatch.setattr(native, "_LATELY", timedelta(0))

    async def settled(adaptor: NativeAdaptor) -> None:
        queue = Queue(home.work_path())
        lost, foreign = [await queue.add(NewItem(title=f"Do {one}")) for one in "ab"]
        session = await started(adaptor)
        await queue.claim(lost.id, "idle", ConfirmNonce(session.id))
        await queue.claim(foreign.id, "idle", ConfirmNonce("somebody-else"))
        await adaptor.end_session(session.id, SessionEndMode.CANCELED, new_nonce())
        assert (await adaptor.observed_state()).sessions == ()
        assert [one.id for one in await settle_lost(adaptor, queue)] == [lost.id]
        assert (await queue.read(lost.id)).status == "open"

    within(root, settled)
