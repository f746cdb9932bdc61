"""Killed anywhere, a workflow goes on: nothing issued is lost, nothing reported runs again."""

import json
import os
import random
import signal
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SCRIPTS, environment, run_cli
from tests.waiting import wait_until
from tests.workflow.project import SAY_WELL, Project, has_ended, orders, spawn

_AT_ONCE = 4

# Marks each phase as done before its agent has run, as public machines do.
TEN = """\
import json, sys
from pathlib import Path
workspace = Path(sys.argv[1])
progress = workspace / "progress.json"
done = json.loads(progress.read_text()) if progress.exists() else []
for number in range(10):
    name = f"{number}.md"
    if name not in done:
        print(json.dumps({"type": "spawn", "prompt": "Go.", "output_file": name}))
        progress.write_text(json.dumps([*done, name]))
        break
else:
    written = len(list(workspace.glob("*.md")))
    lost = {"type": "gate_failed", "reason": f"only {written} of 10"}
    print(json.dumps({"type": "done"} if written == 10 else lost))
"""
# Each way of ending in turn: writes its file itself, says so, prints. None of them is done at once.
_WORK = """\
case "$out" in
[258].md) echo half > "ws/$out"; sleep 0.2; echo "by $out itself" > "ws/$out" ;;
[37].md) echo "said $out"; respond success "well"; sleep 0.2 ;;
*) echo "result of $out"; sleep 0.2 ;;
esac
"""


def undisturbed(folder: Path, does: str) -> tuple[dict[str, bytes], float]:
    """What ten phases leave, and how many seconds they take once they have begun."""
    project = made(folder, does)
    assert project.run("--mode", "dangerous").returncode == 0
    [begun], [concluded] = project.told("begun"), project.told("concluded")
    took = datetime.fromisoformat(concluded["at"]) - datetime.fromisoformat(begun["at"])
    return project.files(), took.total_seconds()


def made(folder: Path, does: str) -> Project:
    """A project with the ten phases."""
    project = Project(folder)
    project.root.mkdir()
    project.agent(does)
    project.skill(TEN)
    return project


def killed_and_resumed(project: Project, delay: float) -> None:
    """Kill the runner so many seconds after it has begun, and go on until it is done."""
    with project.running("run", "probe", "ws", "--mode", "dangerous") as process:
        wait_until(lambda: project.told("begun"), timeout=60, what="the beginning")
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    done = project.gemba("resume", "ws", "--mode", "dangerous")
    assert done.returncode == 0, f"killed after {delay} s: {done.stderr}"


def check(project: Project, expected: dict[str, bytes], delay: float) -> None:
    """The same workspace, and no run of an agent that the journal does not account for."""
    assert project.files() == expected, f"killed after {delay} s"
    again = Counter(f"{one['step'] - 1}.md" for one in project.told("reissued"))
    for name, runs in Counter(project.runs()).items():
        assert 1 <= runs <= 1 + again[name], f"killed after {delay} s: {name} ran {runs} times"
    reported = Counter(one["step"] for one in project.told("reported"))
    assert set(reported.values()) == {1}


def test_a_few_kills_change_nothing(tmp_path: Path) -> None:
    """At two points of the run, spread over its length."""
    does = 'echo "result of $out"'
    expected, length = undisturbed(tmp_path / "calm", does)
    for number in range(2):
        project = made(tmp_path / f"killed{number}", does)
        delay = length * (number + 0.5) / 2
        killed_and_resumed(project, delay)
        check(project, expected, delay)


@pytest.mark.torture
@pytest.mark.timeout(3600)
def test_two_hundred_random_kills_change_nothing(tmp_path: Path) -> None:
    """Anywhere in ten phases that end in every way in which a phase may."""
    expected, length = undisturbed(tmp_path / "calm", _WORK)

    def is_taken_up(number: int, delay: float) -> bool:
        project = made(tmp_path / f"killed{number}", _WORK)
        killed_and_resumed(project, delay)
        check(project, expected, delay)
        return bool(project.told("resumed"))

    chance = random.Random(7)
    delays = [chance.uniform(0, length) for _ in range(200)]
    # Some at once: most of the time they wait for their agents.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        taken_up = sum(pool.map(is_taken_up, range(len(delays)), delays))
    # Else they came too late, and have shown nothing.
    assert taken_up > 100


def test_what_a_dead_runner_left_running_is_ended_first(project: Project) -> None:
    """Its agent does not work beside the next one; the journal says that it runs again."""
    project.agent('echo $$ > "pid"; [ -e slept ] || { touch slept; sleep 60; }; echo second')
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: (project.root / "slept").exists(), timeout=30, what="the agent")
        pid = int((project.root / "pid").read_text())
        process.kill()
        process.wait()
    assert project.gemba("status", "ws").stdout.count("interrupted") == 1
    done = project.gemba("resume", "ws")
    assert done.returncode == 0
    assert "1.1 a.md: is to run again: its runner died; the agent was ended" in done.stdout
    assert project.files()["a.md"] == b"second\n"
    assert has_ended(pid)


def test_what_a_dead_agent_left_running_is_ended_first(project: Project) -> None:
    """Its group goes on without its leader, and would write into the next one's output."""
    project.agent(
        "[ -e child ] && echo second && exit; (sleep 60; echo late) & echo $! > child; wait"
    )
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws") as process:
        child = project.root / "child"
        wait_until(lambda: child.exists() and child.read_text(), timeout=30, what="the child")
        process.kill()
        process.wait()
    os.kill(project.told("started")[0]["pid"], signal.SIGKILL)
    assert project.gemba("resume", "ws").returncode == 0
    assert has_ended(int(child.read_text()))


def test_success_that_was_said_to_a_dead_runner_counts(project: Project) -> None:
    """The agent wrote its file, after its runner had died: it does not run again."""
    project.agent(
        "touch began; while [ ! -e go ]; do sleep 0.05; done;"
        'echo late > "ws/$out"; respond success x'
    )
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: (project.root / "began").exists(), timeout=30, what="the agent")
        process.kill()
        process.wait()
    [started] = project.told("started")
    (project.root / "go").touch()
    wait_until(lambda: has_ended(started["pid"]), timeout=30, what="its end")
    assert project.gemba("resume", "ws").returncode == 0
    assert project.files()["a.md"] == b"late\n"
    assert project.runs() == ["a.md"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_success_that_was_said_before_all_was_printed_does_not_count(
    project: Project, number: signal.Signals
) -> None:
    """Its runner ended the agent, or both were killed: the agent runs again."""
    project.agent(f"[ -e said ] || {{ {SAY_WELL}; touch said; sleep 60; }}; echo result")
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: (project.root / "said").exists(), timeout=30, what="the response")
        process.send_signal(number)
        process.wait(30)
    if number == signal.SIGKILL:
        os.killpg(project.told("started")[0]["pid"], number)
    assert project.gemba("resume", "ws").returncode == 0
    assert project.files()["a.md"] == b"result\n"
    assert len(project.told("reissued")) == 1


def test_what_is_to_run_again_runs_whatever_was_said_before(project: Project) -> None:
    """A runner that died once it had undone the agent's traces has settled that one."""
    project.agent(f"[ -e said ] || {{ {SAY_WELL}; touch said; sleep 60; }}; echo result")
    project.skill(orders(spawn("a.md")))
    (project.root / "ws").mkdir()
    (project.root / "ws" / "a.md").write_text("old\n")
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: (project.root / "said").exists(), timeout=30, what="the response")
        process.kill()
        process.wait()
    os.killpg(project.told("started")[0]["pid"], signal.SIGKILL)
    with (project.root / "ws/.workflow/journal.jsonl").open("a") as journal:
        journal.write('{"event":"reissued","step":1,"item":1,"why":"its runner died"}\n')
    assert project.gemba("resume", "ws").returncode == 0
    assert project.files()["a.md"] == b"result\n"
    assert project.runs() == ["a.md", "a.md"]


def test_what_a_machine_marked_before_it_died_is_ordered_again(project: Project) -> None:
    """Its state is put back to what it was before it was asked."""
    project.skill(
        "import json, os, sys\nfrom pathlib import Path\n"
        "progress = Path(sys.argv[1], 'progress.json')\n"
        'if progress.exists():\n    print(\'{"type": "done"}\')\n'
        "else:\n"
        "    progress.write_text('{}')\n"
        "    if not Path('once').exists():\n"
        "        Path('once').touch()\n"
        "        os.kill(int(Path('runner').read_text()), 9)\n"
        '    print(\'{"type": "spawn", "prompt": "x", "output_file": "a.md"}\')\n'
    )
    runner = project.root / "runner"
    script = 'echo $$ > runner; exec "$0" workflow run probe ws'
    done = subprocess.run(
        ["sh", "-c", script, str(SCRIPTS / "gemba")], cwd=project.root, env=environment()
    )
    assert runner.exists()
    assert done.returncode == -signal.SIGKILL
    assert project.gemba("resume", "ws").returncode == 0
    assert project.runs() == ["a.md"]


def test_a_torn_last_line_counts_as_not_written(project: Project) -> None:
    """What it would have said is done again."""
    project.skill(orders(spawn("a.md")))
    project.run("--max-steps", "1")
    journal = project.root / "ws" / ".workflow" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if b'"concluded"' not in line]
    journal.write_bytes(b"".join(kept)[:-20])
    assert project.gemba("resume", "ws").returncode == 0
    assert project.runs() == ["a.md", "a.md"]


def test_a_journal_that_cannot_grow_ends_the_run_at_a_whole_line(project: Project) -> None:
    """It is named; once there is room, the run goes on from there."""
    names = [f"{number}.md" for number in range(8)]
    project.skill(orders(*map(spawn, names)))
    script = 'ulimit -f 4; exec "$0" workflow run probe ws'
    done = subprocess.run(
        ["sh", "-c", script, str(SCRIPTS / "gemba")],
        cwd=project.root,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "journal.jsonl: File too large" in done.stderr
    assert project.gemba("resume", "ws").returncode == 0
    told = [one["event"] for one in project.events()]
    assert told.count("issued") == len(names) + 1
    assert sorted(project.files()) == [*names, "progress.json"]


def test_one_runner_at_a_time(project: Project) -> None:
    """The second one is told, and nothing runs twice."""
    project.agent("touch began; while [ ! -e go ]; do sleep 0.05; done; echo done")
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: (project.root / "began").exists(), timeout=30, what="the agent")
        for words in (("resume", "ws"), ("run", "probe", "ws")):
            done = project.gemba(*words)
            assert done.returncode == 1
            assert "another runner" in done.stderr
        assert "running" in project.gemba("status", "ws").stdout
        (project.root / "go").touch()
        assert process.wait(30) == 0
    assert project.runs() == ["a.md"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_leaves_no_agent_behind(
    project: Project, number: signal.Signals
) -> None:
    """It says so, also on the record, and can be taken up again."""
    project.agent("[ -e began ] && echo again && exit 0; echo $$ > pid; touch began; sleep 60")
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: (project.root / "began").exists(), timeout=30, what="the agent")
        process.send_signal(number)
        assert process.wait(30) == 128 + number
        assert process.stderr is not None
        assert b"interrupted; no agent" in (said := process.stderr.read())
        assert b"gemba workflow resume ws" in said
    [again] = project.told("reissued")
    assert again["why"] == "interrupted; the agent was stopped"
    assert project.told("concluded")[0]["ended"] == "interrupted"
    assert has_ended(int((project.root / "pid").read_text()))
    session = project.told("begun")[0]["session"]
    shown = json.loads(run_cli("gemba", "sessions", "show", session, "--json").stdout)
    assert shown["status"] == "stalled"
    assert project.gemba("resume", "ws").returncode == 0
    assert project.files()["a.md"] == b"again\n"


@pytest.mark.parametrize(
    "refused",
    [
        spawn("../a.md"),
        spawn("a.md", context_files=["/etc/hostname"]),
        {"type": "spawn_many", "spawns": [spawn("a.md"), spawn("../b.md")]},
        {"type": "ask", "text": "Which?", "output_file": "../a.md"},
    ],
)
def test_after_an_order_that_is_refused_a_mended_machine_is_asked_anew(
    project: Project, refused: dict[str, Any]
) -> None:
    """The order is not pending, and what the machine noted about it is undone."""
    folder = project.skill(orders(refused))
    done = project.run()
    assert (done.returncode, "outside of" in done.stderr) == (1, True)
    (folder / "next-step.py").write_text(orders(spawn("a.md")))
    assert project.gemba("resume", "ws").returncode == 0
    assert project.runs() == ["a.md"]


def test_a_workspace_that_was_moved_is_not_gone_on_with(project: Project) -> None:
    """Machine and agents know it by its old path: what is done there would run again."""
    project.skill(orders(spawn("a.md"), spawn("b.md")))
    project.run("--max-steps", "1")
    (project.root / "ws").rename(project.root / "moved")
    done = project.gemba("resume", "moved")
    assert done.returncode == 1
    assert f"it began as {project.root / 'ws'}" in done.stderr
    (project.root / "ws").symlink_to("moved")
    assert project.gemba("resume", "moved").returncode == 0
    assert project.runs() == ["a.md", "b.md"]


def test_a_workspace_is_for_one_workflow(project: Project) -> None:
    """It says how to go on, or that it is done."""
    project.skill(orders(spawn("a.md"), spawn("b.md")))
    project.run("--max-steps", "1")
    begun = project.run()
    assert (begun.returncode, "gemba workflow resume" in begun.stderr) == (1, True)
    assert project.gemba("resume", "ws").returncode == 0
    done = project.run()
    assert (done.returncode, "is done here" in done.stderr) == (1, True)
    assert project.gemba("resume", "ws").returncode == 0
    assert project.runs() == ["a.md", "b.md"]


@pytest.mark.parametrize("command", ["resume", "status"])
def test_where_nothing_has_begun_nothing_goes_on(project: Project, command: str) -> None:
    """It says how to begin."""
    done = project.gemba(command, "nowhere")
    assert done.returncode == 1
    assert "gemba workflow run" in done.stderr
    assert not (project.root / "nowhere").exists()


def test_a_foreign_journal_is_named(project: Project) -> None:
    """With its line; nothing is done with it."""
    own = project.root / "ws" / ".workflow"
    own.mkdir(parents=True)
    (own / "journal.jsonl").write_text('{"event":"resumed"}\n{"event":"danced"}\n')
    done = run_cli("gemba", "workflow", "status", "ws", cwd=project.root)
    assert done.returncode == 1
    assert "journal.jsonl:2" in done.stderr
