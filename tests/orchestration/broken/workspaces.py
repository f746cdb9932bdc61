"""Adaptors whose workspaces are not what they should be."""

import posixpath
from dataclasses import replace
from typing import Self

from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    Workspace,
    WorkspaceKind,
    WorkspaceRequest,
    WorkspaceStatus,
)
from gemba_core.testing.noop import NoopSubject
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


@BROKEN.breaks("acquire_fs_scoped_honored")
class WritesToNeighbours(Noop):
    def write(self, workspace_id: str, path: str, data: bytes) -> bool:
        roots = [f"{one.worktree_path}/" for one in self._workspaces.values()]
        return super().write(workspace_id, path, data) or path.startswith(tuple(roots))


@BROKEN.breaks("write_outside_is_refused")
class WritesToTheRoot(Noop):
    def write(self, workspace_id: str, path: str, data: bytes) -> bool:
        return super().write(workspace_id, path, data) or posixpath.dirname(path) == "/"


@BROKEN.breaks("write_outside_is_refused")
class WritesToTheParent(Noop):
    def write(self, workspace_id: str, path: str, data: bytes) -> bool:
        return super().write(workspace_id, path, data) or path.startswith("../")


@BROKEN.breaks("required_isolation_honored")
class IsolatesLess(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        acquired = await super().acquire_workspace(request)
        self._workspaces[acquired.id] = replace(acquired, isolation=IsolationCapabilities())
        return self._workspaces[acquired.id]


class OnlineSubject(NoopSubject):
    async def isolation_holds(self, adaptor: Noop, workspace: Workspace, capability: str) -> bool:
        return capability != "net_isolated"


@BROKEN.breaks("claimed_isolation_is_enforced", OnlineSubject)
class ClaimsToBeOffline(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        claimed = dict.fromkeys(
            super().describe().workspace_kinds,
            IsolationCapabilities(fs_scoped=True, net_isolated=True),
        )
        return replace(super().describe(), per_kind_isolation=claimed)

    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        required = replace(request.required_isolation, net_isolated=False)
        acquired = await super().acquire_workspace(replace(request, required_isolation=required))
        claimed = replace(acquired.isolation, net_isolated=True)
        self._workspaces[acquired.id] = replace(acquired, isolation=claimed)
        return self._workspaces[acquired.id]


@BROKEN.breaks("unsatisfiable_isolation_is_unsupported")
class GivesLess(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        less = replace(request, required_isolation=IsolationCapabilities())
        return await super().acquire_workspace(less)


@BROKEN.breaks("undeclared_workspace_kind_is_unsupported")
class GivesAnotherKind(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        if request.preferred_kind not in self.describe().workspace_kinds:
            request = replace(request, preferred_kind=None)
        return await super().acquire_workspace(request)


@BROKEN.breaks("weakest_sufficient_kind_is_chosen")
class GivesTheStrongest(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        preferred = request.preferred_kind or WorkspaceKind.WORKTREE
        return await super().acquire_workspace(replace(request, preferred_kind=preferred))


@BROKEN.breaks("acquire_workspace_idempotent")
class TakesItForNew(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        acquired = await super().acquire_workspace(request)
        self._workspaces[acquired.id] = replace(acquired, created_at=self.clock())
        return self._workspaces[acquired.id]


@BROKEN.breaks("another_repository_is_refused")
class GivesWhatThereIs(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        held = self._workspaces_of(request.assignment_id)
        return held[0] if held else await super().acquire_workspace(request)


@BROKEN.breaks("workspaces_are_apart")
class SharesOnePlace(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        acquired = await super().acquire_workspace(request)
        self._workspaces[acquired.id] = replace(acquired, worktree_path="/workspaces/one")
        return self._workspaces[acquired.id]

    def write(self, workspace_id: str, path: str, data: bytes) -> bool:
        return not posixpath.isabs(path) and super().write(workspace_id, path, data)


@BROKEN.breaks("worktree_path_is_absolute")
class SaysItsPathInPart(Noop):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        acquired = await super().acquire_workspace(request)
        self._workspaces[acquired.id] = replace(acquired, worktree_path=acquired.id)
        return self._workspaces[acquired.id]

    def write(self, workspace_id: str, path: str, data: bytes) -> bool:
        return path == posixpath.basename(path) and super().write(workspace_id, path, data)


@BROKEN.breaks("acquired_workspace_can_be_inspected")
class ShowsAnotherBranch(Noop):
    async def inspect_workspace(self, workspace_id: str) -> Workspace:
        return replace(await super().inspect_workspace(workspace_id), branch="another")


@BROKEN.breaks("released_workspace_says_so")
class HidesItsRelease(Noop):
    async def inspect_workspace(self, workspace_id: str) -> Workspace:
        return replace(await super().inspect_workspace(workspace_id), released_at=None)


@BROKEN.breaks("release_workspace_idempotent")
class ReleasesAgain(Noop):
    async def release_workspace(self, workspace_id: str) -> None:
        before = await self.inspect_workspace(workspace_id)
        await super().release_workspace(workspace_id)
        if before.status is WorkspaceStatus.RELEASED:
            self._workspaces[workspace_id] = replace(before, released_at=self.clock())


@BROKEN.breaks("workspace_in_use_is_kept")
class TakesItsPlaceAway(Noop):
    async def release_workspace(self, workspace_id: str) -> None:
        workspace = await self.inspect_workspace(workspace_id)
        if workspace.status is WorkspaceStatus.IN_USE:
            self._release(workspace)
        await super().release_workspace(workspace_id)


@BROKEN.breaks("another_adaptor_takes_nothing_away")
class SweepsAsItOpens(Noop):
    def another(self) -> Self:
        for workspace in list(self._workspaces.values()):
            if workspace.status is WorkspaceStatus.READY:
                self._release(workspace)
        return super().another()
