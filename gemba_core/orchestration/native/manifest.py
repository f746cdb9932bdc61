"""What the native adaptor can do."""

from importlib.metadata import version

from gemba_core.orchestration.agent import GroupMode
from gemba_core.orchestration.assignment import AssignmentStrategy
from gemba_core.orchestration.cost import CostAxis
from gemba_core.orchestration.escalation import EscalationKind
from gemba_core.orchestration.event import EventDelivery
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest, Transport
from gemba_core.orchestration.native import workspaces
from gemba_core.orchestration.session import PeekMode


def manifest() -> OrchestrationCapabilityManifest:
    """The manifest, as this machine is: without bubblewrap no workspace is on offer.

    Running time alone is metered: no hook of the clients that are known tells
    its tokens.
    """
    kinds, unavailable = workspaces.kinds(), workspaces.unavailable()
    return OrchestrationCapabilityManifest(
        adaptor_id="native",
        adaptor_version=version("gemba-toolkit"),
        transport=Transport.API,
        workspace_kinds=kinds,
        default_workspace_kind=kinds[-1] if kinds else None,
        per_kind_isolation={kind: workspaces.ISOLATION[kind] for kind in kinds},
        group_modes=(GroupMode.STATIC,),
        cost_axes=(CostAxis.WALLCLOCK,),
        escalation_kinds=(
            EscalationKind.QUESTION,
            EscalationKind.BLOCKER,
            EscalationKind.PERMISSION_PROMPT,
            EscalationKind.MCP_ELICITATION,
        ),
        peek_modes=(PeekMode.TRANSCRIPT, PeekMode.STRUCTURED),
        assignment_strategies=(AssignmentStrategy.PULL, AssignmentStrategy.PUSH),
        event_delivery=EventDelivery.PUSH,
        extension={"unavailable": unavailable} if unavailable else {},
    )
