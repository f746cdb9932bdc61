"""`gemba skills`: list, show, new, enable, disable, path."""

import json
import time
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.skills.registry import discover
from tests.commands import run_cli
from tests.skills.shelf import put, put_standard

OWN = ".gemba/skills"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a skill, a broken one, a hidden one and a shadowed one."""
    put(tmp_path / OWN, "one", variety="coach", description="What one does.", aliases="uno")
    put(tmp_path / OWN, "old", lifecycle="deprecated", replaced_by="one")
    put(tmp_path / OWN, "gone", lifecycle="removed")
    (tmp_path / OWN / "broken.md").write_text("---\nskill_id: [\n---\n")
    put_standard(tmp_path / ".claude/skills", "one")
    return tmp_path


def listed(workspace: Path, *options: str) -> dict[str, str]:
    """The state of each skill by its path, without those that come with Gemba."""
    done = run_cli("gemba", "skills", "list", "--json", *options, cwd=workspace)
    assert done.returncode == 0, done.stderr
    found = {one["path"]: one["state"] for one in json.loads(done.stdout)}
    return {
        str(Path(path).relative_to(workspace)): state
        for path, state in found.items()
        if path.startswith(str(workspace))
    }


def test_list_has_what_may_be_used_and_what_is_broken(workspace: Path) -> None:
    """A broken one is not hidden from who could mend it."""
    assert listed(workspace) == {
        f"{OWN}/one.md": "active",
        f"{OWN}/old.md": "deprecated",
        f"{OWN}/broken.md": "broken",
    }


def test_list_all_has_everything(workspace: Path) -> None:
    """The removed one, and the one that was found second."""
    run_cli("gemba", "skills", "disable", "one", cwd=workspace)
    assert listed(workspace, "--all") == {
        f"{OWN}/one.md": "disabled",
        f"{OWN}/old.md": "deprecated",
        f"{OWN}/gone.md": "removed",
        f"{OWN}/broken.md": "broken",
        ".claude/skills/one/SKILL.md": "shadowed",
    }


def test_the_table_says_what_is_wrong_and_what_is_left_out(workspace: Path) -> None:
    """For a person: the error beside the file's name, the shadowed ones counted."""
    done = run_cli("gemba", "skills", "list", cwd=workspace, env={"COLUMNS": "160"})
    (broken,) = [line for line in done.stdout.splitlines() if line.startswith("broken ")]
    assert f" {OWN}/broken.md: line 3: not valid YAML" in broken
    assert "(use one)" in done.stdout
    assert "gemba-walk" in done.stdout
    assert "1 more of the same names" in done.stderr


def test_what_is_wrong_is_not_cut_by_a_narrow_terminal(workspace: Path) -> None:
    """Descriptions are; an error says what to mend."""
    done = run_cli("gemba", "skills", "list", cwd=workspace, env={"COLUMNS": "80"})
    told = " ".join(done.stdout.partition(f"{OWN}/broken.md")[2].split())
    assert "did not find expected node content" in told


@pytest.mark.parametrize("columns", [30, 50, 80])
def test_in_a_narrow_terminal_columns_yield_whole(workspace: Path, columns: int) -> None:
    """Names, headings and states are told whole or not at all; no line is too long."""
    env = {"COLUMNS": str(columns)}
    done = run_cli("gemba", "skills", "list", "--all", cwd=workspace, env=env)
    heading, *rows = done.stdout.splitlines()
    assert set(heading.split()) <= {"NAME", "VARIETY", "STATE", "FROM", "DESCRIPTION"}
    assert {"NAME", "DESCRIPTION"} <= set(heading.split())
    assert ("STATE" in heading) == (columns > 30)
    assert any(row.startswith("one ") for row in rows)
    assert max(map(len, [heading, *rows])) <= columns


def test_in_a_narrow_terminal_rules_keep_ids_and_names() -> None:
    """They are what other commands take."""
    done = run_cli("gemba", "skills", "rules", env={"COLUMNS": "50"})
    assert "GS108  blocks-without-prompting  error" in done.stdout
    assert "…" not in done.stdout


def test_what_skills_say_paints_on_no_terminal(workspace: Path) -> None:
    """Control characters of a name or a description are taken out."""
    put(workspace / OWN, '"e\\e[31mvil"', file="evil", description='"\\e]0;title\\a red"')
    for command in (["list"], ["list", "--all"], ["show", "e\x1b[31mvil"]):
        done = run_cli("gemba", "skills", *command, cwd=workspace)
        assert "\x1b" not in done.stdout + done.stderr
        assert "e[31mvil" in done.stdout


def test_show_has_what_it_says_and_its_body(workspace: Path) -> None:
    """By its alias too, and then says so."""
    done = run_cli("gemba", "skills", "show", "uno", cwd=workspace)
    for said in ("one", "uno (an alias)", "coach", "What one does.", "Do it."):
        assert said in done.stdout


def test_show_json_is_the_skill_and_its_body(workspace: Path) -> None:
    """Every field of the reference."""
    done = run_cli("gemba", "skills", "show", "one", "--json", cwd=workspace)
    assert json.loads(done.stdout) == {
        "id": "one",
        "name": "one",
        "variety": "coach",
        "description": "What one does.",
        "lifecycle": "active",
        "replaced_by": None,
        "aliases": ["uno"],
        "tools": None,
        "problem": None,
        "path": str(workspace / OWN / "one.md"),
        "form": "gemba",
        "where": str(workspace / OWN),
        "source": "gemba",
        "namespace": None,
        "enabled": True,
        "state": "active",
        "shadowed_by": None,
        "body": "Do it.\n",
    }


@pytest.mark.parametrize(
    ("name", "meant"),
    [("on", "one"), ("oen", "one"), ("GEMBA", "gemba-walk"), ("zzz", "gemba skills list")],
)
@pytest.mark.parametrize("command", ["show", "path", "enable", "disable"])
def test_no_such_skill_is_exit_4_and_suggests(
    workspace: Path, command: str, name: str, meant: str
) -> None:
    """Part of a name, a slip, other letters' case; else where the names are."""
    done = run_cli("gemba", "skills", command, name, cwd=workspace)
    assert done.returncode == 4
    assert repr(name) in done.stderr
    assert meant in done.stderr


def test_a_broken_skill_is_told_with_its_place(workspace: Path) -> None:
    """Exit 1, since there is such a file."""
    done = run_cli("gemba", "skills", "show", "broken", cwd=workspace)
    assert done.returncode == 1
    assert f"{OWN}/broken.md: line 3: not valid YAML" in done.stderr


def test_path_prints_the_path_alone(workspace: Path) -> None:
    """For a pager or an editor."""
    done = run_cli("gemba", "skills", "path", "claude:one", cwd=workspace)
    assert done.stdout == f"{workspace}/.claude/skills/one/SKILL.md\n"


def test_disable_and_enable_say_what_changed(workspace: Path) -> None:
    """By an alias too; twice is harmless."""
    first = run_cli("gemba", "skills", "disable", "uno", "old", cwd=workspace)
    assert first.stdout == "disabled: one\ndisabled: old\n"
    again = run_cli("gemba", "skills", "disable", "one", "--json", cwd=workspace)
    assert json.loads(again.stdout) == [{"id": "one", "enabled": False, "changed": False}]
    back = run_cli("gemba", "skills", "enable", "one", cwd=workspace)
    assert back.stdout == "enabled: one\n"
    assert listed(workspace)[f"{OWN}/one.md"] == "active"


def test_one_wrong_name_switches_nothing(workspace: Path) -> None:
    """All or none."""
    assert run_cli("gemba", "skills", "disable", "one", "zzz", cwd=workspace).returncode == 4
    assert listed(workspace)[f"{OWN}/one.md"] == "active"


def test_a_skill_whose_file_is_gone_can_be_enabled(workspace: Path) -> None:
    """Its name would else stay in the list for ever."""
    run_cli("gemba", "skills", "disable", "one", "old", cwd=workspace)
    (workspace / OWN / "old.md").unlink()
    assert run_cli("gemba", "skills", "enable", "old", cwd=workspace).stdout == "enabled: old\n"


def test_a_malformed_list_of_names_is_said(workspace: Path) -> None:
    """By list with exit 0, by enable and disable with exit 1."""
    path = Path(home.disabled_skills_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("disabled = 3")
    done = run_cli("gemba", "skills", "list", cwd=workspace)
    assert done.returncode == 0
    assert str(path) in done.stderr
    assert run_cli("gemba", "skills", "disable", "one", cwd=workspace).returncode == 1


@pytest.mark.parametrize("variety", ["coach", "manager"])
def test_new_writes_a_skill_to_fill_out(workspace: Path, variety: str) -> None:
    """Into the workspace's folder, also from further down; it is one at once."""
    inner = workspace / "src"
    inner.mkdir()
    done = run_cli("gemba", "skills", "new", "release-notes", "--variety", variety, cwd=inner)
    assert done.stdout == f"{workspace}/{OWN}/release-notes.md\n"
    made = discover(str(inner)).get("release-notes")
    assert made is not None
    assert made.variety == variety
    body = discover(str(inner)).body(made)
    assert f"--role {variety}" in body
    assert ("--kind blocker" in body) == (variety == "manager")


def test_new_makes_the_folder(tmp_path: Path) -> None:
    """In a folder that has none above it."""
    done = run_cli("gemba", "skills", "new", "one", "--variety", "coach", cwd=tmp_path)
    assert Path(done.stdout.strip()) == tmp_path / OWN / "one.md"
    assert (tmp_path / OWN / "one.md").is_file()


def test_new_keeps_what_is_there(workspace: Path) -> None:
    """Exit 1, and the file is as it was."""
    before = (workspace / OWN / "one.md").read_text()
    done = run_cli("gemba", "skills", "new", "one", "--variety", "coach", cwd=workspace)
    assert done.returncode == 1
    assert "there already" in done.stderr
    assert (workspace / OWN / "one.md").read_text() == before


def test_new_says_which_skill_it_shadows(workspace: Path) -> None:
    """Here the one that comes with Gemba."""
    done = run_cli("gemba", "skills", "new", "gemba-walk", "--variety", "coach", cwd=workspace)
    assert done.returncode == 0
    assert "gemba-walk.md too" in done.stderr


@pytest.mark.parametrize("name", ["Upper", "a b", "../out", "-a", "a--b", "", "é", "x" * 65, "a/b"])
def test_new_refuses_what_no_mention_could_hold(tmp_path: Path, name: str) -> None:
    """Exit 2, and nothing is written."""
    done = run_cli("gemba", "skills", "new", "--variety", "coach", "--", name, cwd=tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / ".gemba").exists()


def test_two_thousand_skills_cost_little_more_than_a_few(tmp_path: Path) -> None:
    """Found again, their list takes less than five starts of the command."""
    few, many = tmp_path / "few", tmp_path / "many"
    put(few / OWN, "one")
    for number in range(2000):
        put(many / OWN, f"skill-{number}", variety="coach", description=f"What {number} does.")

    def seconds(workspace: Path) -> float:
        times = []
        for _ in range(4):
            begin = time.perf_counter()
            done = run_cli("gemba", "skills", "list", "--json", cwd=workspace, is_started=True)
            times.append(time.perf_counter() - begin)
            assert done.returncode == 0
        return min(times)

    assert seconds(many) < 5 * seconds(few)
