"""Killed at any step of acquire or release, it is done again, and nothing is left or lost."""

import subprocess
import sys
from pathlib import Path

import pytest

from gemba_core.orchestration.native import worktree
from tests.commands import environment
from tests.orchestration.native.conftest import Acquire, git
from tests.orchestration.native.test_worktree import assert_nothing_left

# Some of the steps, those at the ends and in between; `make torture` tries all.
SOME = (1, 4, 9, 16, 25, 36)
ALL = range(1, 90)


def dies(what: str, repository: Path, step: int) -> bool:
    """Whether the process was killed at that step; it may have come to its end before."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.orchestration.native.dying",
            what,
            str(repository),
            str(step),
        ],
        cwd=Path(__file__).parents[3],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, -9), done.stderr
    return done.returncode == -9


def acquire_again(acquire: Acquire, repository: Path, step: int) -> None:
    """Die while acquiring, then acquire, work and release."""
    dies("acquire", repository, step)

    workspace = acquire()

    Path(str(workspace.worktree_path), "new").write_text("mine")
    assert worktree.release("a1") == worktree.Saved(("gemba/a1",))
    assert git(repository, "show", "gemba/a1:new") == "mine"
    assert_nothing_left(repository)


def release_again(acquire: Acquire, repository: Path, step: int) -> None:
    """Die while releasing what is not committed, then release."""
    Path(str(acquire().worktree_path), "new").write_text("mine")
    dies("release", repository, step)

    assert worktree.release("a1").kept is None

    assert git(repository, "show", "gemba/a1:new") == "mine"
    assert_nothing_left(repository)


@pytest.mark.parametrize("step", SOME)
def test_an_acquire_that_was_killed(acquire: Acquire, repository: Path, step: int) -> None:
    """The next acquire gives a whole worktree, whatever the first one left."""
    acquire_again(acquire, repository, step)


@pytest.mark.parametrize("step", SOME)
def test_a_release_that_was_killed(acquire: Acquire, repository: Path, step: int) -> None:
    """The next release goes on, and the work is on the branch."""
    release_again(acquire, repository, step)


@pytest.mark.torture
@pytest.mark.parametrize("step", ALL)
def test_every_step_of_an_acquire(acquire: Acquire, repository: Path, step: int) -> None:
    """The same at each step."""
    acquire_again(acquire, repository, step)


@pytest.mark.torture
@pytest.mark.parametrize("step", ALL)
def test_every_step_of_a_release(acquire: Acquire, repository: Path, step: int) -> None:
    """The same at each step."""
    release_again(acquire, repository, step)


def test_there_are_so_many_steps(acquire: Acquire, repository: Path) -> None:
    """The last of `SOME` still kills, and none after `ALL` does: no step is left out."""
    assert dies("acquire", repository, SOME[-1])
    assert not dies("acquire", repository, ALL[-1] + 1)
    assert dies("release", repository, SOME[-1])
    assert not dies("release", repository, ALL[-1] + 1)
