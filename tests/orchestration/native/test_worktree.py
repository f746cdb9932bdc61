"""A worktree's way: made, worked in, saved to its branch, removed."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import places, workspaces, worktree, worktree_record
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest, WorkspaceStatus
from tests.orchestration.native.conftest import Acquire, RunIn, git

COMMIT = "echo more >> f && git -c user.name=n -c user.email=e commit -qam more"


def test_it_is_a_worktree_of_the_repository(acquire: Acquire, repository: Path) -> None:
    """It has the files, a branch of its own at HEAD, and git knows it, for the owner alone."""
    workspace = acquire()

    path = Path(str(workspace.worktree_path))
    assert (path / "f").read_text() == "one\n"
    assert workspace.branch == "gemba/a1"
    assert workspace.base_sha == git(repository, "rev-parse", "gemba/a1")
    assert f"worktree {path}" in git(repository, "worktree", "list", "--porcelain").splitlines()
    assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_acquire_again_is_the_same(acquire: Acquire) -> None:
    """The same assignment gets the same worktree, with what is in it."""
    first = acquire()
    Path(str(first.worktree_path), "new").write_text("")

    again = acquire()

    assert again.worktree_path == first.worktree_path
    assert Path(str(again.worktree_path), "new").exists()


def test_a_commit_lands_on_its_branch(acquire: Acquire, run_in: RunIn, repository: Path) -> None:
    """What the agent commits is on the branch after the release, and the worktree is gone."""
    workspace = acquire()
    done = run_in(workspace, COMMIT)

    released = workspaces.release(workspace)

    assert done.returncode == 0, done.stderr
    assert released.status is WorkspaceStatus.RELEASED
    assert released.provider_metadata["branches"] == ["gemba/a1"]
    assert git(repository, "log", "-1", "--format=%s", "gemba/a1") == "more"
    assert_nothing_left(repository)


def test_commits_land_while_the_agent_goes_on(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """`land` moves the branch, again and again; git outside sees a clean worktree, and in the end
    that the branch has the work.
    """
    workspace = acquire()
    for count in ("2", "3"):
        run_in(workspace, COMMIT)

        assert workspaces.land(workspace) == ("gemba/a1",)

        assert git(repository, "rev-list", "--count", "gemba/a1") == count
        assert git(str(workspace.worktree_path), "status", "--porcelain") == ""
    assert workspaces.land(workspace) == ()
    assert workspaces.release(workspace).provider_metadata["branches"] == ["gemba/a1"]


def test_git_works_as_usual_inside(acquire: Acquire, run_in: RunIn, repository: Path) -> None:
    """Branches, stash, cherry-pick, rebase and gc; what is on other branches is not lost."""
    workspace = acquire()
    script = f"""set -e
        git config user.name n; git config user.email e
        {COMMIT}; {COMMIT}
        git checkout -q -b side HEAD~1; echo s > s; git add s; git commit -qm side
        git checkout -q gemba/a1; git cherry-pick side; git rebase -q HEAD~1
        echo w >> f; git stash -q; git gc -q --prune=now
    """

    done = run_in(workspace, script)
    released = workspaces.release(workspace)

    assert done.returncode == 0, done.stderr
    assert released.provider_metadata["kept"] is None
    assert set(released.provider_metadata["branches"]) == {
        *("gemba/a1", "gemba/a1.side", "gemba/a1.stash"),
    }
    assert git(repository, "log", "-1", "--format=%s", "gemba/a1.side") == "side"
    assert git(repository, "fsck", "--no-dangling") == ""


def test_a_detached_head_is_not_lost(acquire: Acquire, run_in: RunIn, repository: Path) -> None:
    """Commits on no branch get one."""
    workspace = acquire()
    run_in(workspace, f"git checkout -q --detach; {COMMIT}")

    released = workspaces.release(workspace)

    assert released.provider_metadata["branches"] == ["gemba/a1.HEAD"]
    assert git(repository, "log", "-1", "--format=%s", "gemba/a1.HEAD") == "more"


@pytest.mark.parametrize("change", ["echo two >> f", "echo n > new", "rm f", "git mv f g"])
def test_what_is_not_committed_is_kept_on_the_branch(
    acquire: Acquire, run_in: RunIn, repository: Path, change: str
) -> None:
    """A release commits it first, and says so in the message."""
    workspace = acquire()
    run_in(workspace, change)

    workspaces.release(workspace)

    said = git(repository, "log", "-1", "--format=%an: %s", "gemba/a1")
    assert said == "Gemba: Work that was not committed when assignment a1 ended"
    assert_nothing_left(repository)


def test_an_agent_killed_in_the_midst_of_git_loses_nothing(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """Locks that a killed git left do not stand in the way."""
    workspace = acquire()
    run_in(workspace, "echo two >> f; touch $(git rev-parse --git-path index.lock)")

    released = workspaces.release(workspace)

    assert released.provider_metadata["kept"] is None
    assert git(repository, "show", "gemba/a1:f") == "one\ntwo"


def test_a_repository_inside_is_kept_in_a_folder(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """What no commit can take is moved away with the worktree, and the rest is committed."""
    workspace = acquire()
    run_in(workspace, "echo two >> f; git init -q sub; echo deep > sub/file")

    released = workspaces.release(workspace)

    kept = Path(str(released.provider_metadata["kept"]))
    assert (kept / "worktree" / "sub" / "file").read_text() == "deep\n"
    assert git(repository, "show", "gemba/a1:f") == "one\ntwo"
    assert_nothing_left(repository)


def test_a_broken_git_folder_is_kept(acquire: Acquire, run_in: RunIn, repository: Path) -> None:
    """An agent that broke its own git folder can be released; its files are kept."""
    workspace = acquire()
    run_in(workspace, "echo two >> f; rm -rf $(git rev-parse --git-common-dir)/refs")

    released = workspaces.release(workspace)

    kept = Path(str(released.provider_metadata["kept"]))
    assert (kept / "worktree" / "f").read_text() == "one\ntwo\n"
    assert_nothing_left(repository)


def test_links_in_its_git_folder_lead_nowhere(
    acquire: Acquire, run_in: RunIn, tmp_path: Path
) -> None:
    """An agent that replaces a folder of its git folder by a link removes nothing outside."""
    (tmp_path / "uv.lock").write_text("")
    workspace = acquire()
    script = f"cd $(git rev-parse --git-common-dir); mv refs r; ln -s {tmp_path} refs"
    run_in(workspace, script)

    workspaces.release(workspace)

    assert (tmp_path / "uv.lock").exists()


def test_a_program_named_in_the_worktree_does_not_run_outside(
    acquire: Acquire, run_in: RunIn, tmp_path: Path
) -> None:
    """Neither its own git settings nor those of a repository within it name one that does."""
    mark = tmp_path / "mark"
    evil = f"touch {mark}"
    script = f"""
        git config core.fsmonitor '{evil}'; git config filter.x.clean '{evil}'
        echo '* filter=x' > .gitattributes; echo two >> f
        mkdir h; printf '#!/bin/sh\\n{evil}\\n' > h/pre-commit; chmod +x h/pre-commit
        git config core.hooksPath h
        git init -q sub; cd sub; echo 1 > g; git add g
        git -c user.name=n -c user.email=e commit -qm x
        git config filter.x.clean '{evil}'; echo '* filter=x' > .gitattributes; echo 2 > g
    """
    workspace = acquire()
    run_in(workspace, script)

    worktree.changed_paths(ready("a1"))
    workspaces.release(workspace)

    assert not mark.exists()


def test_a_worktree_without_work_leaves_no_branch(acquire: Acquire, repository: Path) -> None:
    """A branch that was made for it and has no commit is deleted."""
    workspaces.release(acquire())

    assert git(repository, "branch", "--list", "gemba/*") == ""
    assert_nothing_left(repository)


def test_a_branch_that_was_there_is_worked_on_and_stays(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """A branch may be asked for; one that was there is never deleted."""
    workspaces.release(acquire(branch="other"))
    workspace = acquire("a2", branch="other")
    run_in(workspace, COMMIT)

    workspaces.release(workspace)

    assert git(repository, "rev-list", "--count", "other") == "2"


def test_a_branch_that_moved_outside_is_left_alone(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """Where a person has moved the branch meanwhile, the agent's commits get a name beside it."""
    workspace = acquire()
    run_in(workspace, COMMIT)
    tree = git(repository, "rev-parse", "main^{tree}")
    theirs = git(repository, "commit-tree", tree, "-p", "main", "-m", "theirs")
    git(repository, "update-ref", "refs/heads/gemba/a1", theirs)

    [branch] = workspaces.release(workspace).provider_metadata["branches"]

    assert branch.startswith("gemba/a1.")
    assert git(repository, "log", "-1", "--format=%s", "gemba/a1") == "theirs"
    assert git(repository, "log", "-1", "--format=%s", branch) == "more"


def test_two_assignments_never_have_one_branch(acquire: Acquire) -> None:
    """A branch that is checked out, in a worktree or by the person, is refused."""
    acquire("a1", branch="other")

    for branch in ("other", "main"):
        with pytest.raises(AdaptorError) as refused:
            acquire("a2", branch=branch)
        assert refused.value.kind is ErrorKind.VALIDATION
    assert [one.id for one in worktree_record.all_found()] == ["a1"]


def test_of_many_at_once_one_gets_the_branch(acquire: Acquire) -> None:
    """Assignments that ask for one branch at the same time are told apart too."""

    def tried(id: str) -> bool:
        try:
            acquire(id, branch="other")
        except AdaptorError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tried, [f"a{number}" for number in range(8)])).count(True) == 1


def test_two_ids_with_one_file_name_never_have_one_worktree(acquire: Acquire) -> None:
    """Ids that differ in what a file's name cannot hold are told apart."""
    acquire("a:1")

    with pytest.raises(AdaptorError) as refused:
        acquire("a/1")

    assert refused.value.kind is ErrorKind.VALIDATION


@pytest.mark.parametrize("kind", [WorkspaceKind.WORKTREE, WorkspaceKind.SUBPROCESS])
def test_what_is_no_repository_is_refused(bwrap: None, tmp_path: Path, kind: WorkspaceKind) -> None:
    """A folder that is missing or no repository, and nothing is left behind."""
    for repository in (tmp_path, tmp_path / "missing"):
        request = WorkspaceRequest(assignment_id="a1", repository=str(repository))
        with pytest.raises(AdaptorError) as refused:
            workspaces.acquire(request, kind)
        assert refused.value.kind is ErrorKind.VALIDATION
    assert not os.path.exists(home.home())


def test_a_bad_branch_name_is_refused(acquire: Acquire) -> None:
    """A name that git does not take is told as the caller's fault, and nothing is left behind."""
    with pytest.raises(AdaptorError) as refused:
        acquire(branch="--no..pe")

    assert refused.value.kind is ErrorKind.VALIDATION
    assert not os.path.exists(places.records_dir())


def test_a_repository_without_commits_is_refused(bwrap: None, tmp_path: Path) -> None:
    """There is nothing to begin with."""
    git(tmp_path, "init", "-q", str(tmp_path / "empty"))
    request = WorkspaceRequest(assignment_id="a1", repository=str(tmp_path / "empty"))

    with pytest.raises(AdaptorError) as refused:
        workspaces.acquire(request, WorkspaceKind.WORKTREE)

    assert refused.value.kind is ErrorKind.VALIDATION


def test_files_without_permissions_are_removed(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """A read-only folder, as package managers make them, does not stop a release."""
    workspace = acquire()
    run_in(
        workspace, "echo cache > .gitignore; mkdir -p cache/x; touch cache/x/y; chmod -R a-w cache"
    )

    workspaces.release(workspace)

    assert_nothing_left(repository)


def test_a_repository_that_is_gone_does_not_stop_a_release(
    acquire: Acquire, repository: Path, tmp_path: Path
) -> None:
    """The worktree is kept then, since nothing could be landed."""
    workspace = acquire()
    Path(str(workspace.worktree_path), "new").write_text("mine")
    repository.rename(tmp_path / "elsewhere")

    kept = Path(str(workspaces.release(workspace).provider_metadata["kept"]))

    assert (kept / "worktree" / "new").read_text() == "mine"


def test_release_again_is_harmless(acquire: Acquire) -> None:
    """A second release changes nothing and raises nothing."""
    workspace = acquire()
    workspaces.release(workspace)

    assert workspaces.release(workspace).status is WorkspaceStatus.RELEASED


def test_a_scratch_folder_is_empty_and_gone_after(acquire: Acquire, run_in: RunIn) -> None:
    """A subprocess workspace begins empty, may read the repository, and leaves nothing."""
    workspace = acquire(kind=WorkspaceKind.SUBPROCESS)

    done = run_in(workspace, f"ls -A; cat {workspace.repository}/f; touch x")
    workspaces.release(workspace)

    assert done.stdout == "one\n"
    assert not Path(str(workspace.worktree_path)).exists()


def ready(id: str) -> worktree_record.Worktree:
    """The record of that worktree."""
    found = worktree_record.find(id)
    assert found is not None
    return found


def assert_nothing_left(repository: Path) -> None:
    """No worktree, no git folder, no registration, no lock."""
    assert len(git(repository, "worktree", "list").splitlines()) == 1
    for name in ("worktrees", "gitdirs"):
        assert os.listdir(Path(home.home(), name)) == []
    assert not list((repository / ".git").rglob("*.lock"))
