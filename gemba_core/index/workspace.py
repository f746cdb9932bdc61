"""A session's workspace, out of its record in the contract's own shape."""

from msgspec import Raw, Struct

from gemba_core.frame.record import strictly
from gemba_core.index.rows import Workspace


class _Left(Struct, frozen=True):
    branches: list[str] = []
    kept: str | None = None


class _Placed(Struct, frozen=True):
    id: str
    kind: str
    status: str = ""
    worktree_path: str | None = None
    repository: str | None = None
    branch: str | None = None
    provider_metadata: _Left = _Left()


def workspace(session_id: str, encoded: str | None) -> Workspace | None:
    """An agent may write into its own log: what is no record of its own workspace is none."""
    found = strictly(Raw((encoded or "null").encode()), _Placed)
    if found is None or found.id != session_id:
        return None
    return Workspace(
        kind=found.kind,
        path=None if found.status == "released" else found.worktree_path,
        repository=found.repository,
        branch=found.branch,
        branches=found.provider_metadata.branches,
        kept=found.provider_metadata.kept,
    )
