"""People in a workflow: failed gates, failed phases and questions, by the inbox that they know."""

import json
from typing import Any

import pytest

from tests.commands import run_cli
from tests.waiting import wait_until
from tests.workflow.project import Project, answer, orders, spawn

GATE = """\
import json, sys
from pathlib import Path
ok = Path(sys.argv[1], "ok").exists()
print(json.dumps({"type": "done"} if ok else {"type": "gate_failed", "reason": "ok is missing"}))
"""


def asking(**more: Any) -> str:
    """A machine that asks one thing."""
    return orders({"type": "ask", "text": "Which colour?", "output_file": "colour.txt", **more})


def test_a_failed_gate_is_a_blocker_and_retry_goes_on(project: Project) -> None:
    """The operator mends what is missing and answers; the machine is asked again."""
    project.skill(GATE)
    with project.running("run", "probe", "ws") as process:
        found = project.escalation()
        assert (found["source"], found["urgency"]) == ("blocker", "blocking")
        assert "ok is missing" in found["prompt"]
        assert found["title"] == "ws: a gate has failed (ok is missing)"
        assert [one["value"] for one in found["options"]] == ["retry", "stop"]
        (project.root / "ws" / "ok").touch()
        answer(found["id"], "respond", "retry")
        assert process.wait(30) == 0
    assert project.told("settled")[0]["value"] == "retry"


def test_approving_a_blocker_is_a_retry(project: Project) -> None:
    """A yes to going on."""
    project.skill(GATE)
    with project.running("run", "probe", "ws") as process:
        found = project.escalation()
        (project.root / "ws" / "ok").touch()
        answer(found["id"], "approve")
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    "words", [("respond", "stop"), ("respond", "not yet"), ("deny",), ("defer",), ("cancel",)]
)
def test_anything_but_retry_stops_the_run(project: Project, words: tuple[str, ...]) -> None:
    """And `resume` looks at the gate anew."""
    project.skill(GATE)
    with project.running("run", "probe", "ws") as process:
        answer(project.escalation()["id"], *words)
        assert process.wait(30) == 3
        assert process.stderr is not None
        assert b"ok is missing" in process.stderr.read()
    (project.root / "ws" / "ok").touch()
    assert project.gemba("resume", "ws").returncode == 0


def test_nobody_is_asked_about_a_gate_in_dangerous_mode(project: Project) -> None:
    """The run stops with the reason."""
    project.skill(GATE)
    done = project.run("--mode", "dangerous")
    assert done.returncode == 3
    assert "ok is missing" in done.stderr
    assert project.told("consulted") == []


def test_a_failed_phase_is_a_blocker_and_retry_runs_it_again(project: Project) -> None:
    """What had succeeded beside it does not run again."""
    project.agent('[ "$out" = b.md ] && [ ! -e ok ] && exit 1; echo "result of $out"')
    many = {"type": "spawn_many", "spawns": [spawn("a.md"), spawn("b.md"), spawn("c.md")]}
    project.skill(orders(many))
    with project.running("run", "probe", "ws") as process:
        found = project.escalation()
        assert "b.md failed (exit 1)" in found["prompt"]
        assert found["title"] == "ws: b.md failed (exit 1)"
        assert str(project.root / "ws/.workflow/actions/1.2") in found["prompt"]
        (project.root / "ok").touch()
        answer(found["id"], "respond", "retry")
        assert process.wait(30) == 0
    assert sorted(project.runs()) == ["a.md", "b.md", "b.md", "c.md"]


def test_a_missing_context_file_can_be_mended(project: Project) -> None:
    """Nobody runs without it; with it, the workflow goes on."""
    project.skill(orders(spawn("a.md", context_files=["notes.md"])))
    with project.running("run", "probe", "ws") as process:
        found = project.escalation()
        assert "notes.md: no such file" in found["prompt"]
        (project.root / "notes.md").write_text("Here.")
        answer(found["id"], "respond", "retry")
        assert process.wait(30) == 0
    assert project.runs() == ["a.md"]


def test_an_answer_goes_to_the_output_file(project: Project) -> None:
    """The run's session is a workflow's own, and shows as waiting meanwhile."""
    project.skill(asking(title="Colour", options=["blue", {"value": "green", "label": "Green"}]))
    with project.running("run", "probe", "ws") as process:
        found = project.escalation()
        assert found["session_id"].startswith("workflow-probe-")
        assert found["title"] == "Colour"
        assert project.gemba("status", "ws").stdout.count("waiting") == 1
        answer(found["id"], "respond", "green")
        assert process.wait(30) == 0
    assert project.files()["colour.txt"] == b"green\n"


@pytest.mark.parametrize("words", [("deny",), ("defer",), ("cancel",)])
def test_no_answer_is_made_up(project: Project, words: tuple[str, ...]) -> None:
    """A refusal stops the run, and the next runner asks anew."""
    project.skill(asking(default="blue"))
    with project.running("run", "probe", "ws") as process:
        first = project.escalation()["id"]
        answer(first, *words)
        assert process.wait(30) == 3
    assert "colour.txt" not in project.files()
    with project.running("resume", "ws") as process:
        second = project.escalation()["id"]
        assert second != first
        answer(second, "respond", "blue")
        assert process.wait(30) == 0


def test_a_silence_is_no_answer(project: Project) -> None:
    """Exit 6; a later runner waits for the same escalation, which may be answered meanwhile."""
    project.skill(asking(default="blue"))
    assert project.run("--patience", "0.2s").returncode == 6
    assert "colour.txt" not in project.files()
    found = project.escalation()
    answer(found["id"], "respond", "red")
    assert project.gemba("resume", "ws").returncode == 0
    assert project.files()["colour.txt"] == b"red\n"
    assert len(project.told("consulted")) == 1


def test_a_run_that_was_killed_while_it_waited_is_answered_later(project: Project) -> None:
    """Its escalation is in the journal: nobody is asked twice."""
    project.skill(asking())
    with project.running("run", "probe", "ws") as process:
        found = project.escalation()
        process.kill()
        process.wait()
    with project.running("resume", "ws") as process:
        wait_until(lambda: project.told("resumed"), timeout=30, what="the next runner")
        answer(found["id"], "respond", "red")
        assert process.wait(30) == 0
    assert project.files()["colour.txt"] == b"red\n"
    listed = run_cli("gemba", "escalations", "list", "--all", "--json")
    [one] = json.loads(listed.stdout)
    assert one["delivery"]["status"] == "collected"


@pytest.mark.parametrize(("default", "code", "answers"), [("blue", 0, [b"blue\n"]), (None, 3, [])])
def test_the_deadline_applies_what_was_declared(
    project: Project, default: str | None, code: int, answers: list[bytes]
) -> None:
    """The default where there is one, marked as such; else the run stops."""
    more = {"default": default} if default else {}
    project.skill(asking(deadline=0.2, **more))
    assert project.run().returncode == code
    assert [data for name, data in project.files().items() if name == "colour.txt"] == answers
    if default:
        assert project.told("reported")[0]["detail"] == "defaulted by policy"


@pytest.mark.parametrize(("more", "code"), [({"default": "blue"}, 0), ({}, 3)])
def test_dangerous_mode_takes_the_default_or_stops(
    project: Project, more: dict[str, str], code: int
) -> None:
    """Nobody is asked either way."""
    project.skill(asking(**more))
    assert project.run("--mode", "dangerous").returncode == code
    assert ("colour.txt" in project.files()) is (code == 0)
    assert run_cli("gemba", "escalations", "list", "--all", "--json").stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"options": ["a", "a"]}, "same value"),
        ({"options": ["a"], "default": "b"}, "none of the options"),
        ({"deadline": "soon"}, "is no time"),
        ({"text": " "}, "at least 1 character"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    project: Project, more: dict[str, Any], why: str
) -> None:
    """It is the machine's fault."""
    project.skill(asking(**more))
    done = project.run()
    assert done.returncode == 1
    assert why in done.stderr


def test_a_finished_workflow_is_a_finished_session(project: Project) -> None:
    """Operators see it among the others, and see that it is over."""
    project.skill(orders(spawn("a.md")))
    project.run()
    session = project.told("begun")[0]["session"]
    shown = json.loads(run_cli("gemba", "sessions", "show", session, "--json").stdout)
    assert shown["status"] == "completed"


def test_a_long_question_is_not_repeated_in_what_went_wrong(project: Project) -> None:
    """Its beginning tells which one it is; the whole is in the inbox."""
    project.skill(asking(text="Which colour?\n" + "red\n" * 1000))
    silent = project.run("--patience", "0.1s")
    assert silent.returncode == 6
    refused = project.gemba("run", "probe", "other", "--mode", "dangerous")
    assert refused.returncode == 3
    for done in (silent, refused):
        assert "Which colour?" in done.stderr
        assert len(done.stderr) < 500
