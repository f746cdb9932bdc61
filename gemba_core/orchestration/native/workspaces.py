"""The workspaces on offer: each a folder of its own, and a program that can write nowhere else.

Nothing is put on a session's record here: whoever calls does that, after the call,
and is alone at work on the assignment (`alone`). So a call that was killed is made
again, and what `present` gives and nobody knows of is cleared.
"""

import os
from collections.abc import Iterable
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

    The kind is one that is on offer: `chosen_kind` of the manifest has seen to it.
    Raises AdaptorError as `worktree.make`; for a scratch folder too the repository
    must be one.
    """
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


def present() -> list[str]:
    """The assignments of which there is a workspace, or a rest of one, whatever is on record.

    Of a rest that says no id the file's name, which `clear` takes as well. Raises OSError.
    """
    folders = (places.records_dir(), os.path.dirname(places.scratch_path("")))
    names = {name for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)}
    ids = {home.safe_id(one.id): one.id for one in worktree_record.all_found()}
    return sorted(ids.get(name, name) for name in names)


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
