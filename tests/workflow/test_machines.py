"""State machines: any executable will do, and one that misbehaves is stopped with its own words."""

import json
import os

import pytest

from gemba_core.workflow.machine import MachineFault, ask
from gemba_core.workflow.site import site_for
from gemba_core.workflow.skill import find
from tests.workflow.project import Project, orders, spawn

_SHELL = """\
if [ -e "$1/a.md" ]; then echo '{"type": "done"}'
else printf '{"type": "spawn", "prompt": "Go.", "output_file": "a.md"}'; fi
"""


@pytest.mark.parametrize(
    ("file", "machine", "mode"),
    [
        ("next-step.sh", _SHELL, 0o644),
        ("next-step", f"#!/bin/sh\n{_SHELL}", 0o755),
        ("next-step.awk", f"#!/bin/sh\n{_SHELL}", 0o755),
        ("next-step.py", orders(spawn("a.md")), 0o644),
    ],
)
def test_any_executable_can_be_a_machine(
    project: Project, file: str, machine: str, mode: int
) -> None:
    """Python and shell by their names, anything else by its executable bit."""
    folder = project.skill(machine, file=file)
    (folder / file).chmod(mode)
    assert project.run().returncode == 0
    assert project.runs() == ["a.md"]


def test_a_machine_that_cannot_be_run_is_told(project: Project) -> None:
    """With what to do."""
    project.skill("x", file="next-step.rb")
    done = project.run()
    assert done.returncode == 1
    assert "chmod +x" in done.stderr


def test_a_machine_runs_in_the_project_root(project: Project) -> None:
    """Wherever the runner is started: `skills/…` is a path from there."""
    project.skill('import os; print(\'{"type": "gate_failed", "reason": "%s"}\' % os.getcwd())')
    below = project.root / "src"
    below.mkdir()
    done = Project(below).run("--mode", "dangerous")
    assert done.returncode == 3
    assert done.stderr.strip().endswith(str(project.root))


@pytest.mark.parametrize(
    ("machine", "why", "shown"),
    [
        ("print('Hello'); print('{}')", "not one JSON object", "Hello"),
        ("", "not one JSON object", "it printed: nothing"),
        ("print('[]')", "not one JSON object", "[]"),
        ('print(\'{"type": "done", "x": "\\\\ud800"}\')', "not one JSON object", "ud800"),
        (
            'print(\'{"type": "spawn", "prompt": "x", "output_file": "a", "timeout": 1e99}\')',
            "timeout: Input should be less",
            "1e99",
        ),
        ('print(\'{"type": "dance"}\')', "unknown type 'dance'; there is spawn", "dance"),
        ('print(\'{"type": "spawn", "prompt": "x"}\')', "output_file: Field required", "prompt"),
        ('print(\'{"reason": "x"}\')', "no type", "reason"),
        ("print('so far'); raise SystemExit('no progress.json')", "exit 1", "no progress.json"),
        ("import os, signal; os.kill(os.getpid(), 9)", "ended by signal 9", "nothing"),
        ("def f(): f()\nf()", "exit 1", "RecursionError"),
        ("print('[' * 100000)", "not one JSON object", "[…]"),
    ],
)
def test_nonsense_is_an_error_that_shows_what_was_printed(
    project: Project, machine: str, why: str, shown: str
) -> None:
    """Output, exit code and standard error."""
    project.skill(machine)
    done = project.run()
    assert done.returncode == 1
    assert why in done.stderr
    assert shown in done.stderr
    assert project.told("concluded")[-1]["ended"] == "failed"


def test_a_machine_that_hangs_is_ended(project: Project) -> None:
    """After its time limit, with what it had printed."""
    project.skill("print('thinking', flush=True)\nimport time\ntime.sleep(60)")
    site = site_for(find("probe", str(project.root)), "ws", str(project.root))
    site.make()
    with pytest.raises(MachineFault, match=r"did not end within 2 s.*\n.*thinking"):
        ask(site, dict(os.environ), begun=lambda _: None, limit=2)


def test_what_a_machine_prints_is_shown_inert(project: Project) -> None:
    """It cannot paint on the terminal."""
    project.skill("print('\\x1b[2Jgone')")
    assert "\x1b" not in project.run().stderr


def test_the_same_order_again_and_again_is_stopped(project: Project) -> None:
    """A machine that never looks at what is there: its agent runs twice, and no more."""
    project.skill(f"print({spawn('a.md')!r}.__repr__().replace(chr(39), chr(34)))")
    done = project.run()
    assert done.returncode == 1
    assert "again and again" in done.stderr
    assert '"output_file":"a.md"' in done.stderr
    assert project.runs() == ["a.md", "a.md"]


def test_the_same_order_is_no_fault_while_something_changes(project: Project) -> None:
    """A machine may try a phase over and over, as long as it counts."""
    project.skill(orders(*[spawn("a.md")] * 6))
    assert project.run().returncode == 0
    assert len(project.runs()) == 6


def test_a_continue_that_leads_nowhere_is_stopped(project: Project) -> None:
    """Nothing changes between one and the next."""
    project.skill('print(\'{"type": "continue"}\')')
    assert "again and again" in project.run().stderr


def test_a_workflow_without_end_is_stopped(project: Project) -> None:
    """At the number of steps that it may take; it can go on with more."""
    project.skill(orders(*[spawn(f"{n}.md") for n in range(4)]))
    done = project.run("--max-steps", "3")
    assert done.returncode == 1
    assert "--max-steps" in done.stderr
    assert project.gemba("resume", "ws").returncode == 0
    assert project.runs() == ["0.md", "1.md", "2.md", "3.md"]


# Spec 002, "Writing next-step.py", its first phase: the completed phase is never noted.
_TEMPLATE = """\
import json, sys
from pathlib import Path
workspace = Path(sys.argv[1])
progress_file = workspace / "progress.json"
state = json.loads(progress_file.read_text()) if progress_file.exists() else \\
    {"phase": "scout", "completed": []}
if state["phase"] == "scout":
    if "scout" not in state["completed"]:
        print(json.dumps({"type": "spawn", "prompt": "Scout.", "output_file": "00-scout.md"}))
"""


def test_the_specs_template_does_not_run_for_ever(project: Project) -> None:
    """It orders the first phase again, whatever is there."""
    project.skill(_TEMPLATE)
    assert "again and again" in project.run().stderr


def test_a_skill_is_found_by_its_folder_too(project: Project) -> None:
    """Then the project is the one around it, wherever the runner is."""
    folder = project.skill(orders(spawn("a.md")))
    elsewhere = project.root.parent / "elsewhere"
    other = Project(elsewhere)
    elsewhere.mkdir()
    other.agent()
    assert other.run(skill=str(folder)).returncode == 0
    assert other.told("begun")[0]["root"] == str(project.root)


def test_a_skill_in_a_clients_folder_is_found(project: Project) -> None:
    """`skills/…` means the client's folder then, and the project is around it."""
    machine = orders(spawn("a.md", context_files=["skills/own/phases/A.md"]))
    folder = project.skill(machine, {"A.md": "Phase A."}, name="own")
    (project.root / ".claude").mkdir()
    (project.root / "skills").rename(project.root / ".claude" / "skills")
    assert not folder.exists()
    assert project.run(skill="own").returncode == 0
    assert project.told("begun")[0]["root"] == str(project.root)
    prompt = project.root / "ws/.workflow/actions/1.1/prompt.md"
    assert "Phase A." in prompt.read_text()


def test_an_unknown_skill_is_told(project: Project) -> None:
    """With where to look."""
    done = project.run(skill="nothing")
    assert done.returncode == 4
    assert "gemba workflow list" in done.stderr


def test_list_shows_what_can_be_run(project: Project) -> None:
    """With each one's description; a broken one costs only itself."""
    project.skill("")
    broken = project.skill("", name="twofold")
    (broken / "next-step.sh").touch()
    (broken / "next-step.py~").touch()
    listed = json.loads(project.gemba("list", "--json").stdout)
    assert [one["name"] for one in listed] == ["gemba-change", "gemba-research", "probe"]
    assert listed[-1]["description"] == "A probe."
    assert listed[-1]["root"] == str(project.root)
    assert "which machine?" in project.run(skill="twofold").stderr
