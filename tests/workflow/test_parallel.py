"""spawn_many: agents side by side, bounded, each with an output of its own."""

import signal
from typing import Any

import pytest

from tests.waiting import wait_until
from tests.workflow.project import Project, has_ended, orders, spawn

# Notes when it begins and when it ends, and stays for as long as others may begin.
_COUNTED = """\
echo "+" >> marks
while [ "$(grep -c + marks)" -lt 2 ]; do sleep 0.02; done
sleep 0.1; echo "-" >> marks; echo "result of $out"
"""


def many(*names: str, **more: Any) -> dict[str, Any]:
    """An order to run the agent for each of these."""
    return {"type": "spawn_many", "spawns": [spawn(name, **more) for name in names]}


def test_they_run_side_by_side_and_no_more_than_allowed(project: Project) -> None:
    """Two at a time of six; each waits until another one has begun."""
    project.agent(_COUNTED)
    names = [f"{n}.md" for n in range(6)]
    project.skill(orders(many(*names)))
    assert project.run("--max-parallel", "2").returncode == 0
    assert {name: project.files()[name].decode() for name in names} == {
        name: f"result of {name}\n" for name in names
    }
    at_once, most = 0, 0
    for mark in (project.root / "marks").read_text().split():
        at_once += 1 if mark == "+" else -1
        most = max(most, at_once)
    assert most == 2


def test_one_that_fails_does_not_end_the_others(project: Project) -> None:
    """All are told that failed, once all have ended."""
    project.agent('case "$out" in [ac].md) exit 1;; esac; echo "result of $out"')
    project.skill(orders(many("a.md", "b.md", "c.md")))
    done = project.run("--mode", "dangerous")
    assert done.returncode == 3
    assert "a.md failed (exit 1)" in done.stderr
    assert "c.md failed (exit 1)" in done.stderr
    assert project.files()["b.md"] == b"result of b.md\n"


@pytest.mark.parametrize("other", ["a.md", "./a.md", "sub/../a.md"])
def test_two_for_the_same_output_are_refused(project: Project, other: str) -> None:
    """Only one of them could be there, however it is written."""
    project.skill(orders(many("a.md", other)))
    done = project.run()
    assert done.returncode == 1
    assert "two of the spawns" in done.stderr


def test_a_kill_repeats_only_those_that_had_not_been_reported(project: Project) -> None:
    """The others are on the record."""
    project.agent(
        'if [ "$out" = b.md ] && [ ! -e go ]; then touch began; sleep 60; fi; echo "$out"'
    )
    project.skill(orders(many("a.md", "b.md", "c.md")))
    with project.running("run", "probe", "ws") as process:
        wait_until(lambda: len(project.told("reported")) == 2, timeout=30, what="the others")
        wait_until(lambda: (project.root / "began").exists(), timeout=30, what="the slow one")
        process.kill()
        process.wait()
    (project.root / "go").touch()
    assert project.gemba("resume", "ws").returncode == 0
    assert sorted(project.runs()) == ["a.md", "b.md", "b.md", "c.md"]
    assert [one["item"] for one in project.told("reissued")] == [2]


def test_an_interrupt_ends_all_of_them(project: Project) -> None:
    """Also those that had not begun; none of them is reported, each that began is to run again."""
    project.agent('echo "$out" >> began; sleep 60')
    project.skill(orders(many("a.md", "b.md", "c.md", attempts=3)))
    with project.running("run", "probe", "ws", "--max-parallel", "2") as process:
        began = project.root / "began"
        wait_until(
            lambda: began.exists() and len(began.read_text().split()) == 2,
            timeout=30,
            what="two agents",
        )
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    assert len(project.runs()) == 2
    assert project.told("reported") == []
    again = project.told("reissued")
    assert {one["why"] for one in again} == {"interrupted; the agent was stopped"}
    assert {one["item"] for one in again} == {one["item"] for one in project.told("started")}


def test_a_second_interrupt_does_not_keep_agents_alive(project: Project) -> None:
    """All of them are asked to end at once, and killed together where they do not."""
    project.agent('trap "echo >> asked" TERM; echo $$ >> pids; while :; do sleep 0.05; done')
    project.skill(orders(many("a.md", "b.md", "c.md", "d.md")))
    pids, asked = project.root / "pids", project.root / "asked"
    with project.running("run", "probe", "ws") as process:
        wait_until(
            lambda: pids.exists() and len(pids.read_text().split()) == 4,
            timeout=30,
            what="four agents",
        )
        process.send_signal(signal.SIGINT)
        wait_until(asked.exists, timeout=30, what="the first to be asked")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 128 + signal.SIGINT
    assert all(has_ended(int(pid)) for pid in pids.read_text().split())
