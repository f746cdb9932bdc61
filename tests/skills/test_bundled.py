"""The skills that come with Gemba, and those that it writes: true to contract and commands."""

import re
from pathlib import Path

import pytest

from gemba_core.skills.folders import bundled
from gemba_core.skills.registry import bundled_skills
from tests.commands import run_cli
from tests.test_docs import calls, code_lines, parse, roots

BUNDLED = {skill.id: Path(skill.path) for skill in bundled_skills().all()}


def test_each_is_whole() -> None:
    """A name, a variety and a description; the README beside them is none of them."""
    registry = bundled_skills()
    assert (registry.broken, registry.shadowed, registry.problems) == ((), (), ())
    assert {skill.id: skill.variety for skill in registry.list()} == {
        "escalation-desk": "manager",
        "gemba-change": "manager",
        "gemba-research": "manager",
        "gemba-walk": "coach",
        "pm.stage_epics": "manager",
        "release-readiness": "manager",
        "test-strategy": "coach",
    }
    assert all(skill.description for skill in registry.list())


def test_the_readme_names_each() -> None:
    """With its file and its variety."""
    folder = Path(bundled())
    readme = (folder / "README.md").read_text()
    rows = re.findall(r"^\| \[(.+?)\]\((.+?)\) \| (\w+) \|", readme, re.MULTILINE)
    skills = bundled_skills().all()
    paths = {one.id: str(Path(one.path).relative_to(folder)) for one in skills}
    assert sorted(rows) == [(one.id, paths[one.id], one.variety) for one in skills]


@pytest.mark.parametrize("name", BUNDLED)
def test_each_keeps_the_contract(name: str) -> None:
    """The linter has nothing to say."""
    done = run_cli("gemba", "skills", "lint", str(BUNDLED[name]))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", BUNDLED)
def test_the_commands_in_each_exist(name: str, tmp_path: Path) -> None:
    """Words, options and values, with a word in the place of each `<placeholder>`."""
    text = re.sub(r"<[^<>]+>", "word", BUNDLED[name].read_text())
    page = tmp_path / "page.md"
    page.write_text(text)
    # Within a sentence a command may be no more than named; one with options is meant to be run.
    spans = re.findall(r"`(gemba[^`]* --[^`]*)`", text)
    found = [call for line in (*code_lines(page), *spans) for call in calls(line)]
    assert found
    for command, *words in found:
        parse(roots()[command], command, words)


@pytest.mark.parametrize("variety", ["coach", "manager"])
def test_a_new_skill_keeps_the_contract(tmp_path: Path, variety: str) -> None:
    """Before a word of it is changed."""
    run_cli("gemba", "skills", "new", "one", "--variety", variety, cwd=tmp_path)
    done = run_cli("gemba", "skills", "lint", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "1 file" in done.stdout
