"""The git folder that an agent sees in the place of its repository's own.

It has refs, settings and new objects of its own; what the repository has is
behind it, read-only. So git works as usual inside, and nothing that is written
there (a hook, a setting, a ref, a `git gc`) reaches the repository. `land` brings the
commits out.
"""

import os
import re
import shutil

from gemba_core import home
from gemba_core.orchestration.native import git, places
from gemba_core.orchestration.native.bubblewrap import Mount, shown
from gemba_core.orchestration.native.worktree_record import Worktree

# Inside, where the repository's objects are to be read.
_BEHIND = "base-objects"
_KINDS = ("refs/heads", "refs/tags", "refs/remotes", "refs/notes")
_BROUGHT_OUT = ("refs/heads", "refs/stash")
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FORMAT = "--format=%(objectname) %(refname)"
_COPIED = ("config", "config.worktree", "HEAD", "shallow")
_READ_ONLY = ("hooks", "info")


def make(worktree: Worktree, admin: str) -> None:
    """Make it, of the repository as it stands, and of `admin`, its folder of the worktree.

    Raises AdaptorError, OSError.
    """
    own, common = worktree.git_dir, worktree.common
    for name in ("objects/info", "refs/heads", "worktrees", _BEHIND, *_READ_ONLY):
        os.makedirs(os.path.join(own, name))
    for name in _COPIED:
        if os.path.isfile(os.path.join(common, name)):
            shutil.copy(os.path.join(common, name), own)
    _write(os.path.join(own, "objects/info/alternates"), f"../{_BEHIND}\n".encode())
    refs = git.run(common, "for-each-ref", _FORMAT, *_KINDS)
    _write(os.path.join(own, "packed-refs"), refs)
    home.write_private(_snapshot_path(worktree), refs)
    shutil.copytree(admin, os.path.join(own, "worktrees", os.path.basename(admin)))


def mounts(worktree: Worktree) -> tuple[Mount, ...]:
    """The worktree, writable, and behind it the repository through this folder."""
    own, common = worktree.git_dir, worktree.common
    objects = os.path.join(common, "objects")
    return (
        Mount(worktree.path, worktree.path, is_writable=True),
        # It leads git to its folder, outside too.
        shown(os.path.join(worktree.path, ".git")),
        Mount(common, own, is_writable=True),
        Mount(os.path.join(common, _BEHIND), objects),
        *(shown(os.path.join(common, name)) for name in _READ_ONLY),
        *(shown(one) for one in _alternates(objects)),
    )


def unlock(worktree: Worktree) -> None:
    """Remove the locks of git processes that were killed with their session. Raises OSError."""
    own = worktree.git_dir
    # An agent may have put links there that lead elsewhere.
    tops = (os.path.join(own, name) for name in ("refs", "worktrees"))
    below = (folder for top in tops if not os.path.islink(top) for folder, _, _ in os.walk(top))
    for folder in (own, *below):
        for name in os.listdir(folder):
            if name.endswith(".lock"):
                os.unlink(os.path.join(folder, name))


def land(worktree: Worktree, inside: git.Inside) -> tuple[str, ...]:
    """Bring the commits of its branches into the repository; the branches that moved or are new.

    Its own branch keeps its name. Another one that the agent made, a stash, and a HEAD
    on no branch become `BRANCH.NAME`. A branch that somebody moved outside
    meanwhile is left alone: the commits get a name of their own beside it. Again is
    harmless. Raises AdaptorError, OSError.
    """
    before = _parsed(_read(_snapshot_path(worktree)))
    now = _refs_inside(worktree, inside)
    new = {ref: sha for ref, sha in now.items() if before.get(ref) != sha}
    known = {*before.values(), *(sha for ref, sha in new.items() if ref != "HEAD")}
    if now.get("HEAD") in known:
        new.pop("HEAD", None)
    if not new:
        return ()
    wanted = "".join(f"{sha}\n" for sha in new.values()) + f"^{worktree.base}\n"
    pack = git.run(
        worktree.path,
        *("pack-objects", "--revs", "--stdout", "-q"),
        given=wanted.encode(),
        inside=inside,
    )
    git.run(worktree.common, "unpack-objects", "-q", "--strict", given=pack)
    branches = tuple(_put(worktree, ref, sha, before.get(ref)) for ref, sha in new.items())
    lines = "".join(f"{sha} {ref}\n" for ref, sha in {**before, **new}.items())
    home.write_private(_snapshot_path(worktree), os.fsencode(lines))
    return branches


def landed(worktree: Worktree) -> tuple[str, ...]:
    """The branches of the repository that have commits of its, whenever they came there.

    Raises AdaptorError, OSError.
    """
    own = worktree.branch
    commits = {*_parsed(_read(_snapshot_path(worktree))).values()} - {worktree.base}
    there = _parsed(git.run(worktree.common, "for-each-ref", _FORMAT, "refs/heads"))
    moved = (ref.removeprefix("refs/heads/") for ref, sha in there.items() if sha in commits)
    return tuple(name for name in moved if name == own or name.startswith(f"{own}."))


def has_large_files(worktree: Worktree) -> bool:
    """Whether Git LFS has put files here, which no commit brings out."""
    return any(files for _, _, files in os.walk(os.path.join(worktree.git_dir, "lfs", "objects")))


def tip(common: str, branch: str) -> str | None:
    """The commit of that branch of the repository; None where there is no such branch."""
    ref = f"refs/heads/{branch}"
    found = _parsed(git.run(common, "for-each-ref", _FORMAT, ref))
    return found.get(ref)


def _refs_inside(worktree: Worktree, inside: git.Inside) -> dict[str, str]:
    told = git.run(worktree.path, "for-each-ref", _FORMAT, *_BROUGHT_OUT, inside=inside)
    head = git.run(worktree.path, "rev-parse", "--verify", "HEAD", inside=inside)
    refs = {**_parsed(told), "HEAD": os.fsdecode(head).strip()}
    # The git that said so ran among the agent's files: its words become arguments outside.
    return {ref: sha for ref, sha in refs.items() if _SHA.fullmatch(sha)}


def _put(worktree: Worktree, ref: str, sha: str, last: str | None) -> str:
    """Point a branch outside there; which one."""
    branch = worktree.branch
    if ref != worktree.ref:
        branch += "." + ref.removeprefix("refs/heads/").removeprefix("refs/")
    there = tip(worktree.common, branch)
    if there == sha:
        return branch
    if there not in (None, last):
        branch, there = f"{branch}.{sha[:12]}", tip(worktree.common, f"{branch}.{sha[:12]}")
    nothing = "0" * len(sha)
    git.run(
        worktree.common,
        *("update-ref", "-m", f"gemba: {worktree.id}", f"refs/heads/{branch}", sha),
        there or nothing,
    )
    return branch


def _alternates(objects: str) -> list[str]:
    """The other stores that the repository itself takes objects from."""
    try:
        lines = os.fsdecode(_read(os.path.join(objects, "info", "alternates"))).splitlines()
    except FileNotFoundError:
        return []
    return [os.path.join(objects, line) for line in lines if line and not line.startswith("#")]


def _snapshot_path(worktree: Worktree) -> str:
    """The refs that have landed or were there: beside this folder, where no agent writes."""
    return os.path.join(places.record_dir(worktree.id), "refs")


def _parsed(lines: bytes) -> dict[str, str]:
    pairs = (line.partition(" ") for line in os.fsdecode(lines).splitlines())
    return {ref: sha for sha, _, ref in pairs}


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
