"""A session in a workspace asks and is answered as any other."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.agents import Agent
from gemba_core.launch import compose
from gemba_core.lifelock import is_held
from gemba_core.orchestration.native import workspaces
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import answer
from tests.orchestration.native.conftest import Acquire, RunIn
from tests.waiting import wait_until

ASK = f"{SCRIPTS}/gemba-ask --kind question --role coach --text Which?"


def escalations() -> list[dict[str, object]]:
    """What `gemba escalations list` shows."""
    found: list[dict[str, object]] = json.loads(
        run_cli("gemba", "escalations", "list", "--all", "--json").stdout
    )
    return found


def test_an_ask_is_recorded(acquire: Acquire, run_in: RunIn) -> None:
    """`gemba-ask` writes to the session's own log, without the pane as its return address."""
    done = run_in(acquire(), ASK)

    assert done.returncode == 0, done.stderr
    [asked] = escalations()
    assert asked["session_id"] == "a1"
    assert b"tmux_pane" not in Path(home.log_path("a1")).read_bytes()


def test_state_and_hooks_are_recorded(acquire: Acquire, run_in: RunIn) -> None:
    """`gemba-state` and `gemba-bridge` work too."""
    hook = f"""echo '{{"prompt": "go"}}' | {SCRIPTS}/gemba-bridge UserPromptSubmit"""

    done = run_in(acquire(), f"{SCRIPTS}/gemba-state working && {hook}")

    assert (done.returncode, done.stderr) == (0, "")
    lines = Path(home.log_path("a1")).read_text().splitlines()
    hooks = [json.loads(line)["hook"] for line in lines]
    assert hooks == ["GembaState", "UserPromptSubmit"]


def test_a_waiting_ask_gets_its_answer(acquire: Acquire) -> None:
    """Its lock is seen outside, so the answer is left to it, and it prints the answer."""
    workspace = acquire()
    agent = Agent.model_validate({"name": "a", "command": ["sh", "-c", f"{ASK} --wait"]})
    launch = compose(agent, os.environ, session_id="a1")
    env = environment(launch.environment(os.environ, own_pane=True))
    words = workspaces.wrap(workspace, launch, agent)
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as waiting:
        [asked] = wait_until(escalations, what="the question")
        lock = home.wait_lock_path("a1", str(asked["id"]))
        wait_until(lambda: is_held(lock), what="the waiter's lock")

        run_cli("gemba", "escalations", "respond", str(asked["id"]), "blue")

        assert waiting.communicate(timeout=30)[0] == "blue\n"
    assert escalations()[0]["delivery"]["status"] == "collected"  # type: ignore[index]  # JSON
    assert not os.path.exists(lock)


def test_an_offer_is_taken_by_the_agents_hook(acquire: Acquire, run_in: RunIn) -> None:
    """What the operator answers while the agent is at work reaches it by its own hook."""
    workspace = acquire()
    bridge = f"{SCRIPTS}/gemba-bridge"
    start = """{"hook_event_name": "UserPromptSubmit", "session_id": "c", "prompt": "go"}"""
    run_in(workspace, f"echo '{start}' | {bridge}; {ASK}", agent="claude")
    [asked] = escalations()
    answer(str(asked["id"]))
    run_cli("gemba", "deliver")
    after = """{"hook_event_name": "PostToolUse", "session_id": "c", "tool_name": "Bash"}"""

    done = run_in(workspace, f"echo '{after}' | {bridge}", agent="claude")

    assert "blue" in done.stdout


def test_a_folder_in_a_locks_place_does_not_stop_tick(acquire: Acquire, run_in: RunIn) -> None:
    """What an agent puts among its small files does not break what cleans them up."""
    run_in(acquire(), f"mkdir {home.own_dir('a1')}/x.wait; ln -s /etc {home.own_dir('a1')}/y.wait")

    assert run_cli("gemba", "tick").returncode == 0


def test_a_sandbox_is_marked_where_its_agent_does_not_reach(
    acquire: Acquire, run_in: RunIn
) -> None:
    """Whatever that takes out of its log, and also when its workspace is gone."""
    workspace = acquire()

    run_in(workspace, f"rm -rf {home.scoped_dir()}; : > {home.log_path('a1')}")
    workspaces.release(workspace)

    assert os.listdir(home.scoped_dir()) == ["a1"]


def test_release_takes_the_sessions_folder_with_it(acquire: Acquire, run_in: RunIn) -> None:
    """The log stays, its folder of small files does not."""
    workspace = acquire()
    run_in(workspace, ASK)

    workspaces.release(workspace)

    assert os.listdir(home.sessions_dir()) == ["a1.jsonl"]


@pytest.mark.parametrize("id", ["a1", "tmux:%3", "x" * 300])
def test_any_session_id_will_do(acquire: Acquire, run_in: RunIn, id: str) -> None:
    """Ids that are no file names make workspaces all the same."""
    done = run_in(acquire(id), ASK)

    assert done.returncode == 0, done.stderr
