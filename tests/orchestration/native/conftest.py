"""A repository, workspaces of it, and programs run in them as an agent would be."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gemba_core.agents import Agent
from gemba_core.launch import compose
from gemba_core.orchestration.native import bubblewrap, workspaces
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind, WorkspaceRequest
from tests.commands import environment
from tests.conftest import IN_CI

Acquire = Callable[..., Workspace]
RunIn = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def bwrap() -> None:
    """bubblewrap, working. In CI its lack is a failure."""
    why = bubblewrap.unavailable()
    if why is not None and IN_CI:
        pytest.fail(why)
    if why is not None:
        pytest.skip(why)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one commit of `f`, and a branch `other`."""
    folder = tmp_path / "repository"
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    git(folder, "config", "user.name", "A Person")
    git(folder, "config", "user.email", "person@example.org")
    (folder / "f").write_text("one\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    git(folder, "branch", "other")
    return folder


@pytest.fixture
def acquire(bwrap: None, repository: Path) -> Acquire:
    """Acquire a workspace of that repository for an assignment."""

    def acquire(
        id: str = "a1", kind: WorkspaceKind = WorkspaceKind.WORKTREE, branch: str | None = None
    ) -> Workspace:
        request = WorkspaceRequest(assignment_id=id, repository=str(repository), branch=branch)
        return workspaces.acquire(request, kind)

    return acquire


@pytest.fixture
def run_in(bwrap: None) -> RunIn:
    """Run a shell script in a workspace as that client; `keys` are those of agents.toml."""

    def run_in(
        workspace: Workspace, script: str, *, agent: str = "any", **keys: object
    ) -> subprocess.CompletedProcess[str]:
        # A client is known by its name among the words: here the script's own name.
        words = ["sh", "-c", script, agent]
        entry = Agent.model_validate({"name": "a", "command": words, **keys})
        launch = compose(entry, os.environ, session_id=workspace.id)
        return subprocess.run(
            workspaces.wrap(workspace, launch, entry),
            env=environment(launch.environment(os.environ, own_pane=True)),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run_in


def git(folder: Path | str, *args: str) -> str:
    """What git prints, without the last newline. Raises CalledProcessError."""
    done = subprocess.run(
        ["git", "-C", str(folder), *args], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.rstrip("\n")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A project with scripted agents; what its sessions have left is ended after the test."""
    # Imported here: the scene itself uses what stands above.
    from tests.orchestration.native.scene import clear_away, make_project

    try:
        yield make_project(tmp_path / "project")
    finally:
        clear_away()
