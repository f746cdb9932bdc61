"""Group C: workspaces are what the manifest says, and keep to themselves.

Source: spec 003, "Workspaces" and "Capability manifest".
"""

import asyncio
import posixpath
from dataclasses import fields, replace

from gemba_core.orchestration.error import ErrorKind
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionPrompt
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    Workspace,
    WorkspaceKind,
    WorkspaceRequest,
    WorkspaceStatus,
)
from gemba_core.testing.outcome import NotApplicable, expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial, refusal

PROBES = Probes(Group.WORKSPACES)

_DENIALS = (ErrorKind.UNSUPPORTED, ErrorKind.CAPABILITY_DENIED)
# So many others come and go.
_OTHERS = 4
_CAPABILITIES = tuple(one.name for one in fields(IsolationCapabilities))


@PROBES.probe
async def acquire_fs_scoped_honored(trial: Trial) -> None:
    """What is written inside stays there: it never lands in another workspace."""
    for kind in trial.kinds():
        mine, other = await trial.workspace(kind=kind), await trial.workspace(kind=kind)
        inside = await _lands(trial, mine, "inside")
        expect(inside, f"{kind}: nothing can be written inside, which proves nothing")
        leaked = await _lands(trial, mine, posixpath.join(_path(other), "leak"))
        expect(not leaked, f"{kind}: a write into another workspace landed")


@PROBES.probe
async def write_outside_is_refused(trial: Trial) -> None:
    """A write outside of all workspaces does not land."""
    for kind in trial.kinds():
        workspace = await trial.workspace(kind=kind)
        for path in (f"../leak-{new_nonce()}", f"/leak-{new_nonce()}"):
            leaked = await _lands(trial, workspace, path)
            expect(not leaked, f"{kind}: a write to {path} landed")


@PROBES.probe
async def required_isolation_honored(trial: Trial) -> None:
    """A workspace of each declared kind has the isolation that the manifest claims for it."""
    for kind in trial.kinds():
        claimed = trial.manifest.per_kind_isolation.get(kind, IsolationCapabilities())
        workspace = await trial.workspace(kind=kind, isolation=claimed)
        expect(workspace.kind is kind, f"asked for {kind}, got {workspace.kind}")
        kept = workspace.isolation.satisfies(claimed)
        expect(kept, f"{kind}: claimed is {claimed}, the workspace has {workspace.isolation}")


@PROBES.probe
async def claimed_isolation_is_enforced(trial: Trial) -> None:
    """What the manifest claims beyond fs_scoped is enforced, which is tried."""
    for kind in trial.kinds():
        claimed = trial.manifest.per_kind_isolation.get(kind, IsolationCapabilities())
        for capability in _CAPABILITIES:
            if capability != "fs_scoped" and getattr(claimed, capability):
                workspace = await trial.workspace(kind=kind)
                holds = await trial.subject.isolation_holds(trial.adaptor, workspace, capability)
                expect(holds, f"{kind} claims {capability}, which is not enforced")


@PROBES.probe
async def unsatisfiable_isolation_is_unsupported(trial: Trial) -> None:
    """Isolation that no kind offers is refused, never given less of."""
    everything = IsolationCapabilities(**dict.fromkeys(_CAPABILITIES, True))
    offers = (trial.manifest.per_kind_isolation.get(kind) for kind in trial.kinds())
    if any(offer and offer.satisfies(everything) for offer in offers):
        raise NotApplicable("every isolation is on offer")
    error = await refusal(
        trial.workspace(isolation=everything), "a workspace with isolation that no kind offers"
    )
    expect(error.kind in _DENIALS, f"isolation that no kind offers is {error.kind}")


@PROBES.probe
async def undeclared_workspace_kind_is_unsupported(trial: Trial) -> None:
    """A preferred kind that is not declared is refused, not replaced by another."""
    undeclared = [kind for kind in WorkspaceKind if kind not in trial.manifest.workspace_kinds]
    if not undeclared:
        raise NotApplicable("every kind is on offer")
    reservation = await trial.claim()
    for kind in undeclared:
        request = WorkspaceRequest(
            assignment_id=reservation.id,
            repository=trial.subject.repository,
            preferred_kind=kind,
        )
        error = await refusal(trial.adaptor.acquire_workspace(request), f"a {kind} workspace")
        expect(error.kind in _DENIALS, f"{kind}, which is not declared, is {error.kind}")


@PROBES.probe
async def weakest_sufficient_kind_is_chosen(trial: Trial) -> None:
    """Without a preference it is the weakest kind that has what is required."""
    if len(trial.kinds()) < 2:
        raise NotApplicable("only one kind is on offer")
    workspace = await trial.workspace()
    request = WorkspaceRequest(
        assignment_id=workspace.assignment_id or "", repository=trial.subject.repository
    )
    weakest = trial.manifest.chosen_kind(request)
    expect(workspace.kind is weakest, f"{weakest} would do, got {workspace.kind}")


@PROBES.probe
async def acquire_workspace_idempotent(trial: Trial) -> None:
    """An assignment has one workspace: asked for again, it is the same one."""
    first = await trial.workspace()
    again = await trial.workspace(first.assignment_id, kind=first.kind)
    expect(first == again, f"first {first!r}, then {again!r}")


@PROBES.probe
async def another_repository_is_refused(trial: Trial) -> None:
    """What has a workspace of one repository is not given it for another: that is validation."""
    held = await trial.workspace()
    request = WorkspaceRequest(
        assignment_id=held.assignment_id or "",
        repository=f"{trial.subject.repository}-another",
        preferred_kind=held.kind,
    )
    error = await refusal(
        trial.adaptor.acquire_workspace(request), "a workspace of another repository"
    )
    expect(error.kind is ErrorKind.VALIDATION, f"another repository is {error.kind}")


@PROBES.probe
async def workspaces_are_apart(trial: Trial) -> None:
    """No two assignments share a place."""
    one, other = await trial.workspace(), await trial.workspace()
    expect(one.id != other.id, f"two assignments got {one.id}")
    expect(_path(one) != _path(other), f"two assignments got {_path(one)}")


@PROBES.probe
async def worktree_path_is_absolute(trial: Trial) -> None:
    """Where a workspace lies is said as an absolute path."""
    path = _path(await trial.workspace())
    expect(posixpath.isabs(path), f"worktree_path {path!r} is not absolute")


@PROBES.probe
async def acquired_workspace_can_be_inspected(trial: Trial) -> None:
    """Inspecting gives the workspace that was acquired."""
    acquired = await trial.workspace()
    found = await trial.adaptor.inspect_workspace(acquired.id)
    same = replace(found, status=acquired.status) == acquired
    expect(same, f"acquired {acquired!r}, inspected {found!r}")


@PROBES.probe
async def released_workspace_says_so(trial: Trial) -> None:
    """A released workspace can still be inspected, and is released."""
    workspace = await trial.workspace()
    await trial.adaptor.release_workspace(workspace.id)
    found = await trial.adaptor.inspect_workspace(workspace.id)
    expect(found.status is WorkspaceStatus.RELEASED, f"released, it is {found.status}")
    expect(found.released_at is not None, "released_at is empty")


@PROBES.probe
async def release_workspace_idempotent(trial: Trial) -> None:
    """Releasing twice is a no-op."""
    workspace = await trial.workspace()
    await trial.adaptor.release_workspace(workspace.id)
    first = await trial.adaptor.inspect_workspace(workspace.id)
    await trial.adaptor.release_workspace(workspace.id)
    again = await trial.adaptor.inspect_workspace(workspace.id)
    expect(first == again, f"released again, it is {again!r} and no more {first!r}")


@PROBES.probe
async def workspace_in_use_is_kept(trial: Trial) -> None:
    """The workspace of a live session is not taken away from it."""
    reservation = await trial.claim()
    workspace = await trial.workspace(reservation.id)
    await trial.adaptor.start_session(reservation.id, SessionPrompt())
    error = await refusal(
        trial.adaptor.release_workspace(workspace.id), "releasing a live session's workspace"
    )
    expect(error.kind is ErrorKind.CAPABILITY_DENIED, f"it is refused as {error.kind}")


@PROBES.probe
async def another_adaptor_takes_nothing_away(trial: Trial) -> None:
    """Opening another adaptor on the same runtime leaves the workspaces of the first alone."""
    kinds = [kind for kind in trial.kinds() for _ in range(2)]
    opening = asyncio.create_task(_open_others(trial))
    try:
        acquired = [await trial.workspace(kind=kind) for kind in kinds]
    finally:
        await opening
    for workspace in acquired:
        status = (await trial.adaptor.inspect_workspace(workspace.id)).status
        expect(status is workspace.status, f"{workspace.id} was acquired, and is {status}")
        there = await _lands(trial, workspace, "inside")
        expect(there, f"nothing can be written in {workspace.id} any more")


async def _open_others(trial: Trial) -> None:
    """One after the other, each to its end."""
    for _ in range(_OTHERS):
        async with trial.subject.another(trial.adaptor):
            pass


def _path(workspace: Workspace) -> str:
    expect(workspace.worktree_path, f"{workspace.id} has no worktree_path")
    return workspace.worktree_path or ""


async def _lands(trial: Trial, workspace: Workspace, path: str) -> bool:
    return await trial.subject.write_in_workspace(trial.adaptor, workspace, path, b"gemba")
