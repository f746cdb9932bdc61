"""`gemba skills lint`, `rules` and `explain`, as they are called."""

import json
import os
import pty
import subprocess
from pathlib import Path

import click
import pytest
import yaml

from gemba_core.skills.lint import RULES
from tests.commands import SCRIPTS, environment, run_cli
from tests.skills.lint.written import coach

ROOT = Path(__file__).parents[3]
GOOD = coach("Ask with `gemba-ask`.\n")
BAD = coach("When stuck, `gemba-ask --kind=blocker`.\n")
NOTED = GOOD.replace("---\nAsk", "allowed-tools: Read\n---\nAsk")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with one good skill."""
    folder = tmp_path / "work"
    (folder / "skills").mkdir(parents=True)
    (folder / "skills" / "good.md").write_text(GOOD)
    return folder


def lint(workspace: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run it there."""
    return run_cli("gemba", "skills", "lint", *args, cwd=workspace)


def test_good_skills_are_exit_0(workspace: Path) -> None:
    """With a line that says what was looked at."""
    done = lint(workspace)
    assert (done.returncode, done.stdout) == (0, "1 file, no findings\n")


def test_a_finding_is_a_line_and_exit_1(workspace: Path) -> None:
    """path:line:column: RULE message, and a summary."""
    (workspace / "skills" / "bad.md").write_text(BAD)
    done = lint(workspace)
    first, last = done.stdout.splitlines()
    assert done.returncode == 1
    assert first.startswith("skills/bad.md:6:14: GS105 a coach never raises a blocker")
    assert last == "1 error in 1 of 2 files"


def test_a_note_alone_is_exit_0(workspace: Path) -> None:
    """It is allowed."""
    (workspace / "skills" / "noted.md").write_text(NOTED)
    done = lint(workspace)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 note in 1 of 2 files")


@pytest.mark.parametrize(
    "args", [("nowhere",), ("--select", "GS77"), ("--ignore", "none"), ("--format", "xml")]
)
def test_a_wrong_call_is_exit_2(workspace: Path, args: tuple[str, ...]) -> None:
    """A path, a rule or a format that does not exist."""
    done = lint(workspace, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


def test_a_workspace_without_skills_is_exit_2(tmp_path: Path) -> None:
    """A check that looks at nothing must not pass."""
    done = lint(tmp_path)
    assert done.returncode == 2
    assert "name files or folders" in done.stderr


def test_a_folder_without_skills_is_exit_2(workspace: Path) -> None:
    """Nor one that looks at a folder in which there are none."""
    (workspace / "docs").mkdir()
    (workspace / "docs" / "page.md").write_text("# No skill\n")
    done = lint(workspace, "docs")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no skills in docs" in done.stderr


def test_a_wrong_configuration_is_exit_2(workspace: Path) -> None:
    """Nothing is linted by rules that nobody chose."""
    (workspace / "pyproject.toml").write_text("[tool.gemba.lint]\nselekt = []\n")
    done = lint(workspace)
    assert done.returncode == 2
    assert "did you mean select?" in done.stderr


def test_the_configuration_chooses_paths_and_rules(workspace: Path) -> None:
    """And options add to it, or take its place."""
    (workspace / "more").mkdir()
    (workspace / "more" / "bad.md").write_text(BAD)
    (workspace / ".gemba").mkdir()
    (workspace / ".gemba" / "lint.toml").write_text('paths = ["more"]\nignore = ["GS2"]\n')
    assert lint(workspace).returncode == 1
    assert lint(workspace, "skills").returncode == 0
    assert lint(workspace, "--ignore", "GS0,coach-blocks").returncode == 0
    assert lint(workspace, "--select", "GS105").returncode == 1


def test_a_file_that_cannot_be_read_is_said_and_exit_1(workspace: Path) -> None:
    """The others are linted all the same."""
    (workspace / "skills" / "gone.md").symlink_to(workspace / "nowhere")
    done = lint(workspace)
    assert done.returncode == 1
    assert "skills/gone.md" in done.stderr


def test_fix_mends_in_place_and_keeps_the_mode(workspace: Path) -> None:
    """What is left is told; once more changes nothing."""
    path = workspace / "skills" / "bad.md"
    path.write_bytes(b"\xef\xbb\xbf" + BAD.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    assert "--fix mends 2" in lint(workspace).stdout
    done = lint(workspace, "--fix")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        1,
        "1 error in 1 of 2 files; 1 mended",
    )
    assert path.read_text() == BAD
    assert path.stat().st_mode & 0o777 == 0o640
    before = path.stat()
    lint(workspace, "--fix")
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_fix_writes_through_a_link(workspace: Path) -> None:
    """The link stays one."""
    target = workspace / "kept.txt"
    target.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    link = workspace / "skills" / "link.md"
    link.symlink_to(target)
    assert lint(workspace, "--fix").returncode == 0
    assert link.is_symlink()
    assert target.read_text() == GOOD


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_formats_for_programs_print_nothing_else(workspace: Path, form: str) -> None:
    """They go to standard output whole, with the same exit code."""
    (workspace / "skills" / "bad.md").write_text(BAD)
    done = lint(workspace, "--format", form)
    assert (done.returncode, done.stderr) == (1, "")
    if form == "github":
        assert done.stdout.startswith("::error file=skills/bad.md,")
    else:
        assert json.loads(done.stdout)


def test_control_characters_of_a_skill_are_not_printed(workspace: Path) -> None:
    """A file cannot paint on the terminal."""
    bad = GOOD.replace("coach", '"\\e[31mred"')
    (workspace / "skills" / "bad.md").write_text(bad)
    for form in ("text", "json", "sarif", "github"):
        assert "\x1b" not in lint(workspace, "--format", form).stdout


def lint_on_terminal(workspace: Path, columns: int) -> list[str]:
    """The lines that a terminal of so many columns shows, without their colours."""
    ours, theirs = pty.openpty()
    command = [str(SCRIPTS / "gemba"), "skills", "lint"]
    env = {**environment(), "COLUMNS": str(columns)}
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        done = subprocess.run(command, stdout=theirs, env=env, cwd=workspace, check=False)
        shown = click.unstyle(terminal.read(10_000).decode())
        os.close(theirs)
    assert done.returncode == 1
    return [line.rstrip() for line in shown.splitlines()]


@pytest.mark.parametrize(
    ("before", "cells"), [("", 0), ("整理: ", 6), ("Two\u2028lines to some.\n\n", 0)]
)
def test_a_terminal_sees_the_line_with_a_caret(workspace: Path, before: str, cells: int) -> None:
    """Below the place, as long as it is, also behind wide characters."""
    (workspace / "skills" / "bad.md").write_text(BAD.replace("When", f"{before}When"))
    lines = lint_on_terminal(workspace, 80)
    at = next(n for n, line in enumerate(lines) if "When stuck" in line)
    assert lines[at + 1].count("^") == len("gemba-ask --kind=blocker")
    assert lines[at + 1].index("^") == 4 + cells + len("When stuck, `")


def test_a_narrow_terminal_sees_no_line_that_does_not_fit(workspace: Path) -> None:
    """Wrapped, its marks would stand below something else."""
    (workspace / "skills" / "bad.md").write_text(BAD)
    assert not any("^" in line for line in lint_on_terminal(workspace, 40))


def test_the_skills_of_this_project_have_no_finding() -> None:
    """What we ship is what we ask for."""
    done = lint(ROOT, "skills", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_rules_are_listed_with_all_their_fields() -> None:
    """In the order of their ids."""
    listed = json.loads(run_cli("gemba", "skills", "rules", "--json").stdout)
    assert [rule["id"] for rule in listed] == [rule.id for rule in RULES]
    assert all(rule["does"] and rule["why"] for rule in listed)
    assert "coach-blocks" in run_cli("gemba", "skills", "rules").stdout


@pytest.mark.parametrize("name", ["GS105", "gs105", "coach-blocks"])
def test_explain_prints_the_rules_page(name: str) -> None:
    """By id or by name."""
    done = run_cli("gemba", "skills", "explain", name)
    assert done.returncode == 0
    assert done.stdout.startswith("# GS105 coach-blocks\n")
    assert "## Use instead" in done.stdout


def test_explaining_no_rule_is_exit_2() -> None:
    """With the nearest one."""
    done = run_cli("gemba", "skills", "explain", "coach-block")
    assert done.returncode == 2
    assert "did you mean coach-blocks?" in done.stderr


def test_the_hook_definition_names_this_command() -> None:
    """pre-commit reads it from the top of the repository."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"] == "gemba skills lint"
