"""Where a workflow reads and writes: what counts is where a path really lies."""

import os
import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.workflow.paths import Outside, is_within, writable
from tests.workflow.project import Project, orders, spawn

_parts = st.lists(
    st.sampled_from(["..", ".", "a", "link", "out", "loop", "a b", "ü", "", "/", "/etc"])
    | st.text(string.ascii_letters + "./\0~$", max_size=6),
    max_size=6,
)


@given(_parts)
def test_no_name_leads_out_of_the_workspace(parts: list[str]) -> None:
    """Whatever is written through it lies there; anything else is refused."""
    with tempfile.TemporaryDirectory() as made:
        workspace = Path(os.path.realpath(made), "ws")
        (workspace / "a").mkdir(parents=True)
        (workspace / "link").symlink_to(workspace / "a")
        (workspace / "out").symlink_to(made)
        (workspace / "loop").symlink_to("loop")
        try:
            path = writable("/".join(parts), str(workspace))
        except Outside:
            return
        assert os.path.realpath(path) == path
        assert is_within(path, str(workspace))
        assert not os.path.isdir(path)


@pytest.mark.parametrize(
    "name",
    ["../a.md", "/tmp/a.md", "out/a.md", "sub/../../a.md", ".workflow/journal.jsonl", ".", "a\0b"],
)
def test_an_output_elsewhere_is_refused(project: Project, name: str) -> None:
    """Before any agent runs."""
    (project.root / "ws").mkdir()
    (project.root / "ws" / "out").symlink_to(project.root)
    project.skill(orders(spawn(name)))
    done = project.run()
    assert done.returncode == 1
    assert "output_file" in done.stderr
    assert project.runs() == []


def test_a_folder_that_became_a_link_meanwhile_is_not_followed(project: Project) -> None:
    """The path is looked at again before the result is put there."""
    project.agent("rm -rf ws/sub; ln -s .. ws/sub; echo mine")
    project.skill(orders(spawn("sub/a.md")))
    done = project.run()
    assert done.returncode == 1
    assert "outside of the workspace" in done.stderr
    assert not (project.root / "a.md").exists()


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "skills/probe/phases/link"])
def test_a_context_file_elsewhere_is_refused(project: Project, name: str) -> None:
    """Also by way of a link."""
    (project.root.parent / "secret").write_text("s3cret")
    folder = project.skill(orders(spawn("a.md", context_files=[name])))
    (folder / "phases" / "link").symlink_to(project.root.parent / "secret")
    done = project.run()
    assert done.returncode == 1
    assert "outside of the project" in done.stderr
    assert project.runs() == []


def test_a_workspace_elsewhere_may_be_read(project: Project) -> None:
    """The project and the workspace need not lie in each other."""
    workspace = project.root.parent / "far"
    workspace.mkdir()
    (workspace / "notes.md").write_text("A note.")
    project.skill(orders(spawn("a.md", context_files=[str(workspace / "notes.md")])))
    assert project.run(workspace=str(workspace)).returncode == 0
    assert "A note." in (workspace / ".workflow/actions/1.1/prompt.md").read_text()


def test_the_runners_files_are_for_the_user_alone(project: Project) -> None:
    """Prompts and answers are private."""
    project.skill(orders(spawn("a.md")))
    project.run()
    own = project.root / "ws" / ".workflow"
    assert own.stat().st_mode & 0o077 == 0
