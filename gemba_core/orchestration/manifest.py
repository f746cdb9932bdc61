"""What an adaptor can do. Controls that it does not declare are not shown.

Source: spec 003, "Capability manifest".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gemba_core.orchestration.agent import GroupMode
from gemba_core.orchestration.assignment import AssignmentStrategy
from gemba_core.orchestration.cost import CostAxis
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import EscalationKind
from gemba_core.orchestration.event import EventDelivery
from gemba_core.orchestration.session import PeekMode
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    WorkspaceKind,
    WorkspaceRequest,
)

ORCHESTRATION_API_VERSION = "1.0"


class Transport(StrEnum):
    """The wire to the adaptor."""

    API = "api"
    JSONL = "jsonl"
    MCP = "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestrationCapabilityManifest:
    """The six axes have no default: what is not said cannot be meant.

    An adaptor that can offer no workspace at the moment says so with an empty
    `workspace_kinds`, and why in `extension["unavailable"]`.
    """

    adaptor_id: str
    adaptor_version: str
    transport: Transport
    workspace_kinds: tuple[WorkspaceKind, ...]
    group_modes: tuple[GroupMode, ...]
    cost_axes: tuple[CostAxis, ...]
    escalation_kinds: tuple[EscalationKind, ...]
    peek_modes: tuple[PeekMode, ...]
    orchestration_api_version: str = ORCHESTRATION_API_VERSION
    default_workspace_kind: WorkspaceKind | None = None
    per_kind_isolation: Mapping[WorkspaceKind, IsolationCapabilities] = field(default_factory=dict)
    assignment_strategies: tuple[AssignmentStrategy, ...] = (AssignmentStrategy.PULL,)
    native_cost_unit: str | None = None
    native_cost_to_dollars: float | None = None
    event_delivery: EventDelivery = EventDelivery.PUSH
    extension: Mapping[str, Any] = field(default_factory=dict)

    def chosen_kind(self, request: WorkspaceRequest) -> WorkspaceKind:
        """The weakest kind on offer that satisfies the request; the preferred one if it does.

        Raises AdaptorError `unsupported`, with the reason where none is on offer:
        there is no silent downgrade. Source: spec 003, "Workspaces".
        """
        fitting = [
            kind
            for kind in WorkspaceKind
            if kind in self.workspace_kinds and self._satisfies(kind, request.required_isolation)
        ]
        preferred = request.preferred_kind
        if preferred in fitting:
            return preferred
        if fitting and preferred is None:
            return fitting[0]
        wanted = f"a {preferred} workspace" if preferred else "a workspace with that isolation"
        offered = ", ".join(self.workspace_kinds) or "none"
        why = self.extension.get("unavailable")
        told = f"{self.adaptor_id} offers no such thing as {wanted}; it offers: {offered}"
        raise AdaptorError(
            ErrorKind.UNSUPPORTED,
            f"{told} ({why})" if why else told,
            detail={"workspace_kinds": list(self.workspace_kinds)},
        )

    def _satisfies(self, kind: WorkspaceKind, required: IsolationCapabilities) -> bool:
        isolation = self.per_kind_isolation.get(kind, IsolationCapabilities())
        return isolation.fs_scoped and isolation.satisfies(required)
