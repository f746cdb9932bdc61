"""Where an assignment's work is done, and how well it is kept apart from everything else.

Source: spec 003, "Workspaces" and "Capability manifest".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any


class WorkspaceKind(StrEnum):
    """The six kinds, from weak to strong: the order in which `acquire_workspace` considers them."""

    EXEC = "exec"
    SUBPROCESS = "subprocess"
    WORKTREE = "worktree"
    CONTAINER = "container"
    K8S_POD = "k8s_pod"
    VM = "vm"


class WorkspaceStatus(StrEnum):
    """`released` and `error` are terminal."""

    PROVISIONING = "provisioning"
    READY = "ready"
    IN_USE = "in_use"
    RELEASED = "released"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolationCapabilities:
    """What a kind enforces, or what an assignment requires."""

    fs_scoped: bool = False
    net_isolated: bool = False
    cpu_limited: bool = False
    mem_limited: bool = False
    snapshot_restore: bool = False

    def satisfies(self, required: "IsolationCapabilities") -> bool:
        """Whether everything that is required is enforced."""
        return all(
            getattr(self, one.name) or not getattr(required, one.name) for one in fields(self)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceRequest:
    """What an assignment asks for. `fs_scoped` is required of every workspace, asked for or not."""

    assignment_id: str
    repository: str
    branch: str | None = None
    preferred_kind: WorkspaceKind | None = None
    required_isolation: IsolationCapabilities = IsolationCapabilities()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A place of its own. `worktree_path` is absolute."""

    id: str
    kind: WorkspaceKind
    status: WorkspaceStatus
    isolation: IsolationCapabilities
    created_at: datetime
    assignment_id: str | None = None
    repository: str | None = None
    branch: str | None = None
    base_sha: str | None = None
    worktree_path: str | None = None
    released_at: datetime | None = None
    provider_metadata: Mapping[str, Any] = field(default_factory=dict)
