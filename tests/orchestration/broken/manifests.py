"""Adaptors whose manifest, agents or states are not true."""

from dataclasses import replace

from gemba_core.orchestration.agent import AgentFilter, AgentRef, GroupMode
from gemba_core.orchestration.cost import CostAxis
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import PeekMode
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.orchestration.workspace import IsolationCapabilities, WorkspaceKind
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


@BROKEN.breaks("list_agents_returns_declared_capabilities")
class ReadsAgentsOtherwise(Noop):
    async def read_agent(self, agent_id: str) -> AgentRef | None:
        found = await super().read_agent(agent_id)
        return found and replace(found, name="somebody")


@BROKEN.breaks("unknown_agent_is_none")
class InventsAgents(Noop):
    async def read_agent(self, agent_id: str) -> AgentRef | None:
        return await super().read_agent(agent_id) or AgentRef(id=agent_id, name="new")


@BROKEN.breaks("manifest_round_trips_json")
class SaysWhatJsonCannot(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), extension={"pair": (1, 2)})


@BROKEN.breaks("describe_is_idempotent")
class ChangesItsManifest(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), adaptor_version=f"1.0.{len(self._sessions)}")


@BROKEN.breaks("manifest_declares_a_cost_axis")
class MetersNothing(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), cost_axes=())


@BROKEN.breaks("manifest_declares_a_strategy")
class HasNoStrategy(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), assignment_strategies=())


@BROKEN.breaks("every_workspace_kind_is_fs_scoped")
class ForgetsAnIsolation(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        scoped = {WorkspaceKind.SUBPROCESS: IsolationCapabilities(fs_scoped=True)}
        return replace(super().describe(), per_kind_isolation=scoped)


@BROKEN.breaks("default_workspace_kind_is_declared")
class DefaultsToWhatItHasNot(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), default_workspace_kind=WorkspaceKind.VM)


@BROKEN.breaks("declared_state_fabricates_nothing")
class DeclaresWhatItSees(Noop):
    async def declared_state(self) -> WorkspaceTopology:
        return await self.observed_state()


@BROKEN.breaks("observed_state_shows_sessions")
class OverlooksAssignments(Noop):
    async def observed_state(self) -> WorkspaceTopology:
        return replace(await super().observed_state(), assignments=())


@BROKEN.breaks("groups_use_declared_modes")
class DeclaresAnotherMode(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), group_modes=(GroupMode.POOL,))


@BROKEN.breaks("group_members_resolve")
class HasEmptyGroups(Noop):
    async def resolve_group_members(self, group_id: str) -> tuple[AgentRef, ...]:
        await super().resolve_group_members(group_id)
        return ()


@BROKEN.breaks("peek_follows_declared_modes")
class PromisesScreenshots(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), peek_modes=tuple(PeekMode))


@BROKEN.breaks("peek_follows_declared_modes")
class HidesItsTranscripts(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), peek_modes=())


@BROKEN.breaks("cost_samples_use_declared_axes")
class MetersOtherwise(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), cost_axes=(CostAxis.DOLLARS_NATIVE,))


@BROKEN.breaks("empty_lists_are_tuples")
class ListsNone(Noop):
    async def list_agents(self, filter: AgentFilter) -> tuple[AgentRef, ...]:
        return await super().list_agents(filter) or None  # type: ignore[return-value]  # the fault
