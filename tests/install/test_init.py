"""`gemba init`."""

import json
import os
import re
from pathlib import Path

import pytest

from gemba_core.agents import load
from gemba_core.frame.vocabulary import MODES
from gemba_core.install import profile
from gemba_core.skills import folders
from gemba_core.skills.registry import bundled_skills, discover
from tests.commands import run_cli


def test_a_new_workspace_has_its_three_things(tmp_path: Path) -> None:
    """Agents without any declared, a profile with a section for each mode, a folder for skills."""
    assert run_cli("gemba", "init", cwd=tmp_path, env={"PATH": ""}).returncode == 0
    own = tmp_path / ".gemba"
    assert load(str(own / "agents.toml")) == ()
    text = (own / "interaction_profile.md").read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(MODES)
    begin, end = profile.MATRIX_BEGIN, profile.MATRIX_END
    assert text.partition(begin)[2].partition(end)[0].strip() == profile.matrix()
    assert (own / "skills" / "README.md").exists()


def test_the_examples_are_valid_once_they_are_uncommented(tmp_path: Path) -> None:
    """claude, codex, gemini and a shell."""
    run_cli("gemba", "init", cwd=tmp_path, env={"PATH": ""})
    path = tmp_path / ".gemba" / "agents.toml"
    examples = path.read_text().partition("\n\n")[2]
    path.write_text(re.sub(r"^# ", "", examples, flags=re.MULTILINE))
    assert [agent.name for agent in load(str(path))] == ["claude", "codex", "gemini", "shell"]


def test_an_agent_whose_program_is_there_is_declared(tmp_path: Path) -> None:
    """So that `gemba run` starts it; who decides its permissions is not changed by that."""
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    run_cli("gemba", "init", cwd=tmp_path, env={"PATH": str(program.parent)})
    [agent] = load(str(tmp_path / ".gemba" / "agents.toml"))
    assert (agent.name, agent.permissions) == ("codex", "native")


def test_what_is_there_is_kept_and_said(tmp_path: Path) -> None:
    """A second run changes nothing."""
    path = tmp_path / ".gemba" / "agents.toml"
    path.parent.mkdir()
    path.write_text("# mine\n")
    done = run_cli("gemba", "init", "--json", cwd=tmp_path)
    assert [one["is_new"] for one in json.loads(done.stdout)] == [False, True, True]
    again = run_cli("gemba", "init", cwd=tmp_path)
    assert again.stdout.count("kept ") == 3
    assert path.read_text() == "# mine\n"


def test_an_agents_file_with_problems_is_told(tmp_path: Path) -> None:
    """All of them, each with its line, and exit 1; what was missing is made all the same."""
    path = tmp_path / ".gemba" / "agents.toml"
    path.parent.mkdir()
    path.write_text('[[agent]]\nname = "a"\nbinary = 3\n\n[[agent]]\nnam = "b"\n')
    done = run_cli("gemba", "init", cwd=tmp_path)
    assert done.returncode == 1
    assert f"{path}:3: " in done.stderr
    assert f"{path}:6: " in done.stderr
    assert "look over your agents" not in done.stdout
    assert (path.parent / "interaction_profile.md").exists()


def test_a_folder_in_the_place_of_the_agents_file_is_told(tmp_path: Path) -> None:
    """It is kept, and nothing could read agents from it."""
    path = tmp_path / ".gemba" / "agents.toml"
    path.mkdir(parents=True)
    done = run_cli("gemba", "init", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)[0] == {"path": str(path), "is_new": False}
    assert f"{path}: Is a directory" in done.stderr


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file in the place of `.gemba` is named."""
    (tmp_path / ".gemba").write_text("")
    done = run_cli("gemba", "init", cwd=tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/.gemba" in done.stderr


def test_bundled_skills_are_offered(tmp_path: Path) -> None:
    """Named, with how to have copies; nothing is copied unasked."""
    done = run_cli("gemba", "init", cwd=tmp_path)
    assert "gemba-walk" in done.stdout
    assert "--skills" in done.stdout
    assert os.listdir(tmp_path / ".gemba" / "skills") == ["README.md"]


def folder() -> Path:
    """Where the bundled skills lie."""
    return Path(folders.bundled())


def files(path: Path) -> list[Path]:
    """That file; the files of that folder, or of the one that a SKILL.md stands for."""
    if path.is_file() and path.name != "SKILL.md":
        return [path]
    around = path if path.is_dir() else path.parent
    return [one for one in around.rglob("*") if one.is_file()]


@pytest.mark.parametrize("asked", ["all", "gemba-walk,gemba-change"])
def test_bundled_skills_are_copied_on_request(tmp_path: Path, asked: str) -> None:
    """Byte for byte, and from then on the copies are what is found."""
    bundled = {skill.id: Path(skill.path) for skill in bundled_skills().list()}
    wanted = set(bundled) if asked == "all" else set(asked.split(","))
    assert run_cli("gemba", "init", "--skills", asked, cwd=tmp_path).returncode == 0
    own = tmp_path / ".gemba" / "skills"
    (own / "README.md").unlink()
    copies = {
        str(path.relative_to(folder())): path.read_bytes()
        for name in wanted
        for path in files(bundled[name])
    }
    assert {str(path.relative_to(own)): path.read_bytes() for path in files(own)} == copies
    found = discover(str(tmp_path))
    assert {skill.id for skill in found.list() if skill.where == str(own)} == wanted


def test_a_skill_that_is_there_is_kept(tmp_path: Path) -> None:
    """Somebody has changed it since."""
    own = tmp_path / ".gemba" / "skills" / "gemba-walk.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Mine\n")
    done = run_cli("gemba", "init", "--skills", "all", cwd=tmp_path)
    assert "kept  .gemba/skills/gemba-walk.md" in done.stdout
    assert own.read_text() == "# Mine\n"


def test_a_skill_that_is_not_bundled_is_refused(tmp_path: Path) -> None:
    """Exit 2 with the names that there are, and nothing is made."""
    done = run_cli("gemba", "init", "--skills", "gemba-walk,nope", cwd=tmp_path)
    assert done.returncode == 2
    assert "'nope'" in done.stderr
    assert "gemba-walk" in done.stderr
    assert not (tmp_path / ".gemba").exists()
