"""A worktree for an assignment: made, saved to its branch, removed; each again after any kill.

Only `git worktree` and refs are touched in the repository itself. Wherever an agent
may have written, git runs in the same sandbox as the agent did. Whoever calls is
alone at work on the assignment (`alone`).
"""

import fcntl
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import msgspec

from gemba_core import home
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import bubblewrap, git, own_git, places, view, worktree_record
from gemba_core.orchestration.native.worktree_record import Stage, Worktree

_IDENTITY = ("-c", "user.name=Gemba", "-c", "user.email=gemba@localhost")
_LINK = b"160000 "


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a worktree's work.

    branches  those that have it
    kept      the folder with all of the worktree, where something in it is on no branch
    """

    branches: tuple[str, ...] = ()
    kept: str | None = None


def make(id: str, repository: str, branch: str | None = None) -> Worktree:
    """The assignment's worktree of that repository, on a branch of its own; made at most once.

    The branch is `gemba/<id>` where none is asked for. One that is not there begins
    at the repository's HEAD. Raises AdaptorError: `validation` where there is no
    repository, no commit in it, or the branch's name is none or is checked out
    elsewhere; process_failed.
    """
    known = worktree_record.find(id)
    if known is not None and known.stage is Stage.READY:
        return known
    if known is not None:
        _clear(known)
    elif worktree_record.is_taken(id):
        raise AdaptorError(
            ErrorKind.VALIDATION, f"{id!r}: another assignment has the same folder name"
        )
    common = common_dir(repository)
    with _repository_lock(common):
        planned = _planned(id, repository, common, branch)
        worktree_record.write(planned)
        with _undone(planned):
            _add(planned)
    with _undone(planned):
        admin = git.text(planned.path, "rev-parse", "--absolute-git-dir")
        own_git.make(planned, admin)
        return _put(planned, stage=Stage.READY, admin=admin)


def release(id: str) -> Saved:
    """Save what is not committed on its branch, land the commits, and remove the worktree.

    No process may be at work in it any more. What can't be saved (a repository
    within it, a broken index) is kept in a folder. A branch that was made for it and
    has no commits is deleted. Ignored files are gone. Nothing to release is no
    error. Raises AdaptorError process_failed; again then goes on where it stopped.
    """
    worktree = worktree_record.find(id)
    if worktree is None:
        worktree_record.tidy(id)
        return Saved()
    saved = Saved()
    if worktree.stage is Stage.READY:
        saved = _save(worktree)
        worktree = _put(worktree, stage=Stage.LANDED)
    _clear(worktree)
    return saved


def land(worktree: Worktree) -> tuple[str, ...]:
    """Bring its commits to its branch while the agent goes on; the branches that moved.

    Raises AdaptorError.
    """
    branches = own_git.land(worktree, _inside(worktree))
    if branches:
        # Outside, the worktree's index still shows what the branch was.
        git.run(worktree.common, f"--git-dir={worktree.admin}", "read-tree", "HEAD")
    return branches


def changed_paths(worktree: Worktree) -> frozenset[str]:
    """What differs from the base: committed, staged, unstaged and untracked; not what is ignored.

    Relative to the worktree. Raises AdaptorError.
    """
    inside = _inside(worktree)
    tracked = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", worktree.base, "--")
    untracked = ("ls-files", "-z", "--others", "--exclude-standard")
    found = b"".join(git.run(worktree.path, *args, inside=inside) for args in (tracked, untracked))
    return frozenset(os.fsdecode(found).split("\0")) - {""}


def common_dir(repository: str) -> str:
    """The git folder that the repository's worktrees share. Raises AdaptorError validation."""
    folder = os.path.abspath(os.path.expanduser(repository))
    if not os.path.isdir(folder):
        raise AdaptorError(ErrorKind.VALIDATION, f"{repository}: no such folder")
    args = ("rev-parse", "--path-format=absolute", "--git-common-dir")
    found = git.run(folder, *args, kind=ErrorKind.VALIDATION)
    return os.path.realpath(os.fsdecode(found).rstrip("\n"))


def remove(path: str) -> None:
    """Remove a folder with all in it, also what its owner may not write to. Raises OSError."""
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except PermissionError:
        for folder, names, _ in os.walk(path):
            for one in (folder, *(os.path.join(folder, name) for name in names)):
                if not os.path.islink(one):
                    os.chmod(one, 0o700)
        shutil.rmtree(path)


def _planned(id: str, repository: str, common: str, branch: str | None) -> Worktree:
    wrong = ErrorKind.VALIDATION
    name = branch or f"gemba/{home.safe_id(id)}"
    git.run(common, "check-ref-format", "--branch", name, kind=wrong)
    there = own_git.tip(common, name)
    start = there or "HEAD"  # that of the folder that was given, which may be a worktree itself
    base = git.run(repository, "rev-parse", "--verify", f"{start}^{{commit}}", kind=wrong)
    return Worktree(
        id=id,
        path=os.path.realpath(places.worktree_path(id)),
        common=common,
        branch=name,
        is_new_branch=there is None,
        base=base.decode().strip(),
    )


def _add(worktree: Worktree) -> None:
    home.make_private_dir(os.path.dirname(worktree.path))
    how: tuple[str, ...] = (worktree.path, worktree.branch)
    if worktree.is_new_branch:
        how = ("--no-track", "-b", worktree.branch, worktree.path, worktree.base)
    # What fails here is mostly that the branch is checked out elsewhere.
    git.run(worktree.common, "worktree", "add", "-q", *how, kind=ErrorKind.VALIDATION)
    os.chmod(worktree.path, 0o700)
    reason = f"assignment {worktree.id} of Gemba works in it"
    git.run(worktree.common, "worktree", "lock", "--reason", reason, worktree.path)


def _save(worktree: Worktree) -> Saved:
    branches: tuple[str, ...] = ()
    try:
        is_whole = not os.path.isdir(worktree.path) or _commit(worktree)
        own_git.land(worktree, _inside(worktree))
        branches = own_git.landed(worktree)
    except (AdaptorError, OSError):
        is_whole = False
    if is_whole and not own_git.has_large_files(worktree):
        return Saved(branches)
    return Saved(branches, _keep(worktree))


def _commit(worktree: Worktree) -> bool:
    """Commit what is not committed; whether nothing is left that no commit has."""
    own_git.unlock(worktree)
    if not _is_clean(worktree):
        _commit_all(worktree)
    return _is_clean(worktree) and not _has_repositories(worktree)


def _commit_all(worktree: Worktree) -> None:
    inside = _inside(worktree)
    with suppress(git.GitFailed):  # what could not be added is seen after it
        git.run(worktree.path, "add", "--all", "--ignore-errors", inside=inside)
    if git.run(worktree.path, "diff", "--cached", "--name-only", "-z", inside=inside):
        message = f"Work that was not committed when assignment {worktree.id} ended"
        commit = (*_IDENTITY, "commit", "-q", "--no-verify", "-m", message)
        git.run(worktree.path, *commit, inside=inside)


def _is_clean(worktree: Worktree) -> bool:
    return not git.run(worktree.path, "status", "--porcelain", "-z", inside=_inside(worktree))


def _has_repositories(worktree: Worktree) -> bool:
    """Whether another repository lies in the worktree: a commit has its name, not its files."""
    staged = git.run(worktree.path, "ls-files", "-s", "-z", inside=_inside(worktree))
    links = (entry for entry in staged.split(b"\0") if entry.startswith(_LINK))
    folders = (os.fsdecode(entry.partition(b"\t")[2]) for entry in links)
    return any(os.path.lexists(os.path.join(worktree.path, one, ".git")) for one in folders)


def _keep(worktree: Worktree) -> str:
    """Move the worktree and its git folder where nobody clears them away; the folder of both."""
    folder = places.kept_path(worktree.id)
    number = 1
    while os.path.exists(folder):
        number += 1
        folder = f"{places.kept_path(worktree.id)}-{number}"
    home.make_private_dir(folder)
    for source, name in ((worktree.path, "worktree"), (worktree.git_dir, "git")):
        if os.path.isdir(source):
            os.rename(source, os.path.join(folder, name))
    return folder


def _clear(worktree: Worktree) -> None:
    """Remove whatever there is of it; the record last, so that it can be done again."""
    try:
        remove(worktree.path)
        if os.path.isdir(worktree.common):
            _unregister(worktree)
        remove(worktree.git_dir)
        worktree_record.forget(worktree)
    except OSError as error:
        raise AdaptorError(
            ErrorKind.PROCESS_FAILED,
            f"{error.filename or worktree.path}: {error.strerror}: the worktree is not removed",
            cause=error,
        ) from error


def _unregister(worktree: Worktree) -> None:
    listed = git.run(worktree.common, "worktree", "list", "--porcelain")
    if f"worktree {worktree.path}" in os.fsdecode(listed).splitlines():
        # Twice: it is locked.
        git.run(worktree.common, "worktree", "remove", "--force", "--force", worktree.path)
    if worktree.is_new_branch and own_git.tip(worktree.common, worktree.branch) == worktree.base:
        with suppress(git.GitFailed):  # somebody has checked it out
            git.run(worktree.common, "branch", "-q", "-D", "--", worktree.branch)


def _inside(worktree: Worktree) -> git.Inside:
    """How git is run where the agent has written: with no more than the agent had."""
    mounts = (*view.hides(), *view.tools(), *own_git.mounts(worktree))

    def words(program: Sequence[str]) -> Sequence[str]:
        return bubblewrap.wrapped(program, folder=worktree.path, mounts=mounts)

    return words


def _put(worktree: Worktree, *, stage: Stage, admin: str = "") -> Worktree:
    """Put on record how far it is."""
    moved = msgspec.structs.replace(worktree, stage=stage, admin=admin or worktree.admin)
    worktree_record.write(moved)
    return moved


@contextmanager
def _undone(worktree: Worktree) -> Iterator[None]:
    """What was begun is cleared away where it fails; an OSError is told as an AdaptorError."""
    try:
        yield
    except OSError as error:
        _clear(worktree)
        raise AdaptorError(
            ErrorKind.PROCESS_FAILED,
            f"{error.filename or worktree.path}: {error.strerror}: no worktree was made",
            cause=error,
        ) from error
    except BaseException:
        _clear(worktree)
        raise


@contextmanager
def _repository_lock(common: str) -> Iterator[None]:
    """Between looking for a branch and taking it, nobody else takes one of this repository."""
    fd = os.open(common, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
