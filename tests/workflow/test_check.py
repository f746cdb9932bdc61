"""The dry run, and the skill that is written to begin with."""

import json

import pytest

from tests.commands import run_cli
from tests.workflow.project import Project, orders, spawn
from tests.workflow.test_public import MINIMAL


def test_a_good_skill_is_walked_to_its_end(project: Project) -> None:
    """Phase by phase, with no agent, and nothing is left behind."""
    phases = {"GATHER.md": "{{workspace}}", "SYNTHESIZE.md": "Synthesize."}
    project.skill(MINIMAL, phases, name="simple-research")
    done = project.gemba("check", "simple-research")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "1.1 notes.md: done: faked",
        "3.1 FINAL.md: done: faked",
        "done; problems: 0",
    ]
    assert project.runs() == []
    assert sorted(path.name for path in project.root.iterdir()) == [".gemba", "agent.sh", "skills"]


def test_what_is_missing_is_listed(project: Project) -> None:
    """Names that no data fills, each with its file; context files that are not there."""
    files = ["skills/probe/phases/A.md", "skills/probe/phases/B.md"]
    order = spawn("a.md", context_files=files[:1], context_data={"x": 1})
    project.skill(orders(order, spawn("b.md", context_files=files)), {"A.md": "{{x}} {{y}} {{y}}"})
    done = project.gemba("check", "probe", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["ended"] == "done"
    assert told["problems"][0] == (
        "skills/probe/phases/A.md: {{y}} is not in the context_data of a.md"
    )
    assert "phases/B.md: no such file" in told["problems"][-1]


def test_a_file_that_is_missing_hides_no_name_that_is(project: Project) -> None:
    """Both belong to the same phase."""
    files = ["skills/probe/phases/B.md", "skills/probe/phases/A.md"]
    project.skill(orders(spawn("a.md", context_files=files)), {"A.md": "{{y}}"})
    done = project.gemba("check", "probe", "--json")
    absent, unfilled = json.loads(done.stdout)["problems"]
    assert "phases/B.md: no such file" in absent
    assert "{{y}} is not in the context_data" in unfilled


def test_a_gate_holds_against_fakes_and_opens_for_samples(project: Project) -> None:
    """Samples of the skill's own, or of a folder that is named."""
    machine = (
        "import json, sys\nfrom pathlib import Path\n"
        "found = Path(sys.argv[1], 'a.md')\n"
        f"order = {spawn('a.md')!r}\n"
        "gate = {'type': 'gate_failed', 'reason': 'no answer in a.md'}\n"
        "is_good = found.exists() and found.read_text() == '42\\n'\n"
        "good = {'type': 'done'} if is_good else gate\n"
        "print(json.dumps(good if found.exists() else order))\n"
    )
    folder = project.skill(machine)
    done = project.gemba("check", "probe")
    assert done.returncode == 0
    assert "stopped at a gate: no answer in a.md" in done.stdout
    (folder / "samples").mkdir()
    (folder / "samples" / "a.md").write_text("42\n")
    assert "done; problems: 0" in project.gemba("check", "probe").stdout


@pytest.mark.parametrize(
    ("machine", "why"),
    [
        ("print('nonsense')", "not one JSON object"),
        (f"import json; print(json.dumps({spawn('a.md')!r}))", "again and again"),
        (orders(spawn("../a.md")), "outside of the workspace"),
    ],
)
def test_a_machine_at_fault_is_told(project: Project, machine: str, why: str) -> None:
    """As a run would tell it."""
    project.skill(machine)
    done = project.gemba("check", "probe")
    assert done.returncode == 1
    assert why in done.stderr
    assert "failed; problems: 1" in done.stdout


def test_a_new_skill_works_before_a_word_of_it_is_changed(project: Project) -> None:
    """It keeps the contract, passes the check, and runs."""
    written = project.gemba("new", "release-notes")
    assert written.stdout.strip().endswith(".gemba/skills/release-notes")
    linted = run_cli("gemba", "skills", "lint", cwd=project.root)
    assert (linted.returncode, linted.stdout) == (0, "1 file, no findings\n")
    assert "done; problems: 0" in project.gemba("check", "release-notes").stdout
    (project.root / "ws").mkdir()
    (project.root / "ws" / "task.md").write_text("Write them.\n")
    assert project.run(skill="release-notes").returncode == 0
    assert project.runs() == ["notes.md", "REPORT.md"]
    assert "release-notes" in project.gemba("list").stdout


def test_the_gate_of_a_new_skill_holds(project: Project) -> None:
    """An empty output is none."""
    project.gemba("new", "release-notes")
    project.agent("true")
    (project.root / "ws").mkdir()
    (project.root / "ws" / "task.md").write_text("Write them.\n")
    done = project.run("--mode", "dangerous", skill="release-notes")
    assert done.returncode == 3
    assert "notes.md is empty" in done.stderr


@pytest.mark.parametrize("name", ["Release", "a b", "../x", "-a", "a" * 65])
def test_a_name_that_no_skill_may_have_is_refused(project: Project, name: str) -> None:
    """Nothing is written."""
    done = project.gemba("new", "--", name)
    assert done.returncode == 2
    assert not (project.root / ".gemba" / "skills").exists()


def test_a_skill_that_is_there_is_kept(project: Project) -> None:
    """Somebody may have filled it out."""
    project.gemba("new", "mine")
    done = project.gemba("new", "mine")
    assert done.returncode == 1
    assert "there already" in done.stderr
