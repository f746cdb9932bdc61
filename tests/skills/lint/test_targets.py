"""The files that are linted."""

from pathlib import Path

import pytest

from gemba_core.skills.lint import own_folders, targets

SKILL = "---\nskill_id: x\nvariety: coach\n---\n"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with skills of all kinds, and files that are none."""
    for name in (
        "skills/tidy.md",
        "skills/README.md",
        "skills/team/walk.md",
        "skills/pdf/SKILL.md",
        "skills/pdf/references/forms.md",
        ".claude/skills/doc/SKILL.md",
        "docs/guide.md",
        "node_modules/x/SKILL.md",
        "docs/notes.txt",
    ):
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Words\n")
    (tmp_path / "work/docs/written.md").write_text(SKILL)
    (tmp_path / "work/docs/marked.md").write_text("\ufeff" + SKILL)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def test_a_folder_gives_its_skills(workspace: Path) -> None:
    """Those of skill folders, SKILL.md anywhere, and files that say that they are skills."""
    assert list(targets(["."])) == [
        ".claude/skills/doc/SKILL.md",
        "docs/marked.md",
        "docs/written.md",
        "skills/tidy.md",
        "skills/pdf/SKILL.md",
        "skills/team/walk.md",
    ]


def test_a_named_file_is_taken_as_it_is(workspace: Path) -> None:
    """Each once, however it is named."""
    named = ["docs/guide.md", "docs/../docs/guide.md", "docs/notes.txt"]
    assert list(targets(named)) == ["docs/guide.md", "docs/notes.txt"]


def test_excluded_files_and_folders_are_left_out(workspace: Path) -> None:
    """By patterns of their paths."""
    found = list(targets(["."], ["docs", "skills/t*", "*/doc"]))
    assert found == ["skills/pdf/SKILL.md"]


def test_links_are_followed_once(workspace: Path) -> None:
    """Also in a circle."""
    (workspace / ".claude/skills/tidy").symlink_to(workspace / "skills")
    (workspace / "skills/round").symlink_to(workspace)
    (workspace / "skills/none.md").symlink_to(workspace / "none")
    found = list(targets([".claude/skills"]))
    assert len(found) == len({Path(path).resolve() for path in found})
    assert any(path.endswith("none.md") for path in found)
    assert any(path.endswith("tidy/tidy.md") for path in found)


def test_a_workspace_has_its_own_folders(workspace: Path) -> None:
    """Seen from there; from below, those above."""
    assert own_folders(str(workspace)) == ["skills", ".claude/skills"]
    assert own_folders(str(workspace / "docs")) == ["../skills", "../.claude/skills"]
