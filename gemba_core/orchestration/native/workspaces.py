"""The workspaces on offer: each a folder of its own, and a program that can write nowhere else.

Nothing is put on a session's record here: whoever calls does that, after the call.
So a call that was killed is made again, and `sweep` clears what nobody knows of.
"""

import os
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime

from gemba_core import home
from gemba_core.agents import Agent
from gemba_core.launch import Launch
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.native import (
    bubblewrap,
    own_git,
    places,
    view,
    worktree,
    worktree_record,
)
from gemba_core.orchestration.native.bubblewrap import Mount, shown
from gemba_core.orchestration.native.worktree_record import Stage, Worktree
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    Workspace,
    WorkspaceKind,
    WorkspaceRequest,
    WorkspaceStatus,
)

ISOLATION = {
    WorkspaceKind.SUBPROCESS: IsolationCapabilities(fs_scoped=True),
    WorkspaceKind.WORKTREE: IsolationCapabilities(fs_scoped=True),
}


def kinds() -> tuple[WorkspaceKind, ...]:
    """The kinds on offer; none where bubblewrap can't be used, and `unavailable` says why."""
    return () if unavailable() else tuple(ISOLATION)


def unavailable() -> str | None:
    """Why no workspace is on offer, for the manifest; None where they are."""
    return bubblewrap.unavailable()


def acquire(request: WorkspaceRequest, kind: WorkspaceKind) -> Workspace:
    """The assignment's workspace of that kind, with the assignment's id; made at most once.

    Raises AdaptorError: unsupported for a kind that is not on offer, and as
    `worktree.make`; for a scratch folder too the repository must be one.
    """
    if kind not in kinds():
        raise AdaptorError(
            ErrorKind.UNSUPPORTED, unavailable() or f"native offers no {kind} workspace"
        )
    id, repository = request.assignment_id, os.path.expanduser(request.repository)
    common = worktree.common_dir(repository)
    made: Worktree | None = None
    if kind is WorkspaceKind.WORKTREE:
        made = worktree.make(id, repository, request.branch)
    else:
        _make_scratch(id)
    return Workspace(
        id=id,
        kind=kind,
        status=WorkspaceStatus.READY,
        isolation=ISOLATION[kind],
        created_at=datetime.now(UTC),
        assignment_id=id,
        repository=os.path.realpath(repository),
        branch=made.branch if made else None,
        base_sha=made.base if made else None,
        worktree_path=made.path if made else os.path.realpath(places.scratch_path(id)),
        provider_metadata={"common_dir": common},
    )


def release(workspace: Workspace) -> Workspace:
    """Give it back; it as released. Again is harmless.

    No process may be at work in it any more. Nothing is left of a scratch folder;
    of a worktree the branches that have its work are `provider_metadata["branches"]`,
    and where something is on none of them, its files are in the folder `["kept"]`.
    Raises AdaptorError.
    """
    told: dict[str, object] = {}
    if workspace.kind is WorkspaceKind.WORKTREE:
        saved = worktree.release(workspace.id)
        told = {"branches": list(saved.branches), "kept": saved.kept}
    else:
        _remove(places.scratch_path(workspace.id))
    _remove(home.own_dir(workspace.id))
    return replace(
        workspace,
        status=WorkspaceStatus.RELEASED,
        released_at=datetime.now(UTC),
        provider_metadata={**workspace.provider_metadata, **told},
    )


def land(workspace: Workspace) -> tuple[str, ...]:
    """Bring what was committed in it to its branch, while the agent goes on.

    The branches that moved. Raises AdaptorError.
    """
    made = _ready(workspace.id) if workspace.kind is WorkspaceKind.WORKTREE else None
    return worktree.land(made) if made else ()


def wrap(
    workspace: Workspace, launch: Launch, agent: Agent, *, sockets: Iterable[str] = ()
) -> tuple[str, ...]:
    """The words that run this launch in the workspace; they are to be the pane's own program.

    `sockets` are those of tmux servers that it must not reach, beside the usual
    ones. Its environment is handed on, but for what leads out. Raises AdaptorError:
    session_not_found where the workspace is gone, validation as `view.client`; LogError.
    """
    mounts = (
        *view.hides(sockets),
        *view.tools(),
        *view.program(launch.argv[0]),
        *view.client(agent),
        *_mounts(workspace),
        *view.session(launch.session_id),
    )
    return bubblewrap.wrapped(launch.argv, folder=str(workspace.worktree_path), mounts=mounts)


def clear(id: str) -> None:
    """Release whatever there is of that assignment's workspace, whether or not it is on record.

    Nothing is no error. Raises AdaptorError.
    """
    worktree.release(id)
    _remove(places.scratch_path(id))
    _remove(home.own_dir(id))


def sweep(known: Collection[str]) -> list[str]:
    """Release every workspace of an assignment that is not known; the ids of worktrees released.

    One that another process is at work on is left to it. Raises AdaptorError.
    """
    unknown = [one.id for one in worktree_record.all_found() if one.id not in known]
    gone = [id for id in unknown if _is_released(id)]
    folder = os.path.dirname(places.scratch_path(""))
    names = os.listdir(folder) if os.path.isdir(folder) else []
    scratch = sorted(set(names) - {home.safe_id(id) for id in known})
    for name in scratch:
        _remove(os.path.join(folder, name))
    for id in (*gone, *scratch):
        _remove(home.own_dir(id))
    return gone


def _is_released(id: str) -> bool:
    try:
        worktree.release(id)
    except AdaptorError as error:
        if error.kind is ErrorKind.REQUEST_FAILED:
            return False
        raise
    return True


def _mounts(workspace: Workspace) -> tuple[Mount, ...]:
    if workspace.kind is WorkspaceKind.WORKTREE:
        return own_git.mounts(_ready(workspace.id))
    folder = str(workspace.worktree_path)
    if not os.path.isdir(folder):
        raise not_found("workspace", workspace.id)
    seen = (workspace.repository or "", str(workspace.provider_metadata["common_dir"]))
    # The repository is there to be read, unless all of the person's files lie in it.
    homes = (*places.user_homes(), os.path.realpath(home.home()))
    return (
        *(shown(one) for one in seen if not any(places.is_within(own, one) for own in homes)),
        shown(folder, is_writable=True),
    )


def _ready(id: str) -> Worktree:
    found = worktree_record.find(id)
    if found is None or found.stage is not Stage.READY:
        raise not_found("workspace", id)
    return found


def _make_scratch(id: str) -> None:
    path = places.scratch_path(id)
    try:
        home.make_private_dir(path)
    except OSError as error:
        raise _failed(path, error) from error


def _remove(path: str) -> None:
    try:
        worktree.remove(path)
    except OSError as error:
        raise _failed(path, error) from error


def _failed(path: str, error: OSError) -> AdaptorError:
    return AdaptorError(
        ErrorKind.PROCESS_FAILED, f"{error.filename or path}: {error.strerror}", cause=error
    )
