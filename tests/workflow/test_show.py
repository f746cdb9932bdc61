"""What a run shows: live on a terminal, lines elsewhere, events for programs."""

import json

import pytest

from tests.operator.test_terminal import on_terminal
from tests.workflow.project import Project, orders, spawn

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
    assert "b.md: exit 1" in told["detail"]
