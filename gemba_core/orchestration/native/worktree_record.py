"""What is known of a worktree, in a file that no agent sees: with it a kill can be mended."""

import os
import shutil
from enum import StrEnum

import msgspec
from msgspec import Struct

from gemba_core import home
from gemba_core.orchestration.native import places

_RECORD = "record.json"


class Stage(StrEnum):
    """`making`: anything of it may be missing. `landed`: saved, only the clearing away is left."""

    MAKING = "making"
    READY = "ready"
    LANDED = "landed"


class Worktree(Struct, frozen=True, kw_only=True):
    """An assignment's worktree; paths are absolute, links resolved.

    common         the repository's git folder, where everything that is shared lies
    is_new_branch  whether the branch was made for it
    base           the commit that it began with
    admin          the repository's folder of this worktree; empty while it is made
    """

    id: str
    path: str
    common: str
    branch: str
    is_new_branch: bool
    base: str
    stage: Stage = Stage.MAKING
    admin: str = ""

    @property
    def git_dir(self) -> str:
        """The git folder that the agent sees in the common one's place."""
        return os.path.join(places.record_dir(self.id), "git")

    @property
    def ref(self) -> str:
        """The branch as git calls it in full."""
        return f"refs/heads/{self.branch}"


def find(id: str) -> Worktree | None:
    """The record of that assignment's worktree; None where there is none, or another's."""
    found = _read(_path(id))
    return found if found is not None and found.id == id else None


def is_taken(id: str) -> bool:
    """Whether there is a record under that id's file name, be it another id's."""
    return os.path.exists(_path(id))


def all_found() -> list[Worktree]:
    """Every record."""
    folder = places.records_dir()
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = (_read(os.path.join(folder, name, _RECORD)) for name in sorted(names))
    return [one for one in found if one is not None]


def write(worktree: Worktree) -> None:
    """Put it on record, in place of what was there. Raises OSError."""
    home.write_private(_path(worktree.id), msgspec.json.encode(worktree))


def forget(worktree: Worktree) -> None:
    """Take it off the record, last of the files beside it. Raises OSError."""
    folder = places.record_dir(worktree.id)
    for name in set(os.listdir(folder)) - {_RECORD}:
        os.unlink(os.path.join(folder, name))
    os.unlink(os.path.join(folder, _RECORD))
    os.rmdir(folder)


def tidy(id: str) -> None:
    """Remove what a call has left that was killed before its record was there, or after it.

    Raises OSError.
    """
    folder = places.record_dir(id)
    if os.path.isdir(folder) and not is_taken(id):
        shutil.rmtree(folder)


def _path(id: str) -> str:
    return os.path.join(places.record_dir(id), _RECORD)


def _read(path: str) -> Worktree | None:
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=Worktree)
    except (OSError, msgspec.MsgspecError):
        return None
