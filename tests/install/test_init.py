"""`gemba init`."""

import json
import re
from pathlib import Path

from gemba_core.agents import load
from gemba_core.frame.vocabulary import MODES
from gemba_core.install import profile
from tests.commands import run_cli


def test_a_new_workspace_has_its_three_things(tmp_path: Path) -> None:
    """Agents without any declared, a profile with a section for each mode, a folder for skills."""
    assert run_cli("gemba", "init", cwd=tmp_path).returncode == 0
    own = tmp_path / ".gemba"
    assert load(str(own / "agents.toml")) == ()
    text = (own / "interaction_profile.md").read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(MODES)
    begin, end = profile.MATRIX_BEGIN, profile.MATRIX_END
    assert text.partition(begin)[2].partition(end)[0].strip() == profile.matrix()
    assert (own / "skills" / "README.md").exists()


def test_the_examples_are_valid_once_they_are_uncommented(tmp_path: Path) -> None:
    """claude, codex, gemini and a shell."""
    run_cli("gemba", "init", cwd=tmp_path)
    path = tmp_path / ".gemba" / "agents.toml"
    examples = path.read_text().partition("\n\n")[2]
    path.write_text(re.sub(r"^# ", "", examples, flags=re.MULTILINE))
    assert [agent.name for agent in load(str(path))] == ["claude", "codex", "gemini", "shell"]


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


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file in the place of `.gemba` is named."""
    (tmp_path / ".gemba").write_text("")
    done = run_cli("gemba", "init", cwd=tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/.gemba" in done.stderr
