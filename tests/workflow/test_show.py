"""What a run shows: live on a terminal, lines elsewhere, events for programs."""

import json

import pytest

from tests.operator.test_terminal import on_terminal
from tests.workflow.project import ECHO, Project, answer, orders, spawn

EVIL = "\x1b]0;owned\x07[bold red]x[/]"


def test_events_are_those_of_the_journal(project: Project) -> None:
    """One object a line, as they happen, and nothing else."""
    project.skill(orders(spawn("a.md")))
    done = project.run("--json")
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == project.events()
    assert [one["event"] for one in project.events()] == [
        *("begun", "asking", "issued", "started", "reported"),
        *("asking", "issued", "concluded"),
    ]


def test_a_terminal_shows_what_runs_and_nothing_that_commands_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names and errors are an agent's words; markup in them is text."""
    project.agent(f"printf '%s' '{EVIL}' >&2; exit 1")
    many = {"type": "spawn_many", "spawns": [spawn("a.md"), spawn(f"b{EVIL}.md".replace("/", ""))]}
    project.skill(orders(many))
    monkeypatch.chdir(project.root)
    code, sent = on_terminal(("workflow", "run", "probe", "ws", "--mode", "dangerous"))
    assert code == 3
    assert "a.md: failed" in sent
    assert "[bold red]x" in sent
    assert "\x1b]0;" not in sent
    assert "Traceback" not in sent


def test_status_tells_programs_what_remains(project: Project) -> None:
    """What has not succeeded, and why it stands still."""
    project.agent('[ "$out" = b.md ] && exit 1; echo "result of $out"')
    project.skill(orders({"type": "spawn_many", "spawns": [spawn("a.md"), spawn("b.md")]}))
    project.run("--mode", "dangerous")
    told = json.loads(project.gemba("status", "ws", "--json").stdout)
    assert (told["state"], told["step"], told["action"]) == ("stopped", 1, "spawn_many")
    assert told["remaining"] == ["b.md"]
    assert "b.md failed (exit 1)" in told["detail"]
    assert (told["runner"], told["next"]) == ("none", "gemba workflow resume ws")


def test_status_tells_who_is_waited_for_and_what_comes_next(project: Project) -> None:
    """A runner waits; it is gone; the answer is there; it is done."""

    def told() -> list[str]:
        status = json.loads(project.gemba("status", "ws", "--json").stdout)
        return [status[name] for name in ("state", "runner", "next")]

    project.agent("[ -e ok ] && echo result")
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws"):
        found = project.escalation()["id"]
        respond = f"gemba escalations respond {found}"
        assert told() == ["waiting", "at work", respond]
    assert told() == ["waiting", "none", respond]
    (project.root / "ok").touch()
    answer(found, "respond", "retry")
    assert told() == ["answered", "none", "gemba workflow resume ws"]
    assert project.gemba("resume", "ws").returncode == 0
    assert told() == ["done", "none", None]


def test_after_a_silence_and_an_answer_status_says_so(project: Project) -> None:
    """What the last runner said does not count any more."""
    project.agent("exit 1")
    project.skill(orders(spawn("a.md")))
    silent = project.run("--patience", "0.1s")
    found = project.escalation()["id"]
    assert f"respond {found[:8]} retry (or stop)" in silent.stdout
    assert "printed: .workflow/actions/1.1" in silent.stdout
    answer(found, "respond", "retry")
    shown = project.gemba("status", "ws").stdout
    assert "answered" in shown
    assert "nobody has answered" not in shown


def test_an_agent_that_may_not_take_a_prompt_is_remarked_upon_once(project: Project) -> None:
    """Before anybody is asked anything; not where one_shot says how it takes one."""
    said = "scripted has no one_shot: the prompt goes to its standard input"
    project.skill(orders(spawn("a.md")))
    assert project.run().stderr.count(said) == 1
    project.agent(ECHO, "one_shot = []")
    assert project.run(workspace="other").stderr == ""


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_reader_that_leaves_ends_the_run_on_the_record(
    project: Project, more: tuple[str, ...]
) -> None:
    """It has failed, and is not done: `resume` goes on."""
    project.agent("while [ ! -e go ]; do sleep 0.05; done; echo result")
    project.skill(orders(spawn("a.md")))
    with project.running("run", "probe", "ws", *more) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        (project.root / "go").touch()
        assert process.wait(30) == 1
    assert project.told("concluded")[0]["ended"] == "failed"
    assert project.gemba("resume", "ws").returncode == 0
