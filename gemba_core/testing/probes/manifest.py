"""Group A: the manifest is whole, and what runs agrees with it.

Source: spec 003, "Capability manifest" and "Desired-vs-actual".
"""

import json
from dataclasses import replace

from gemba_core.orchestration.agent import AgentFilter, GroupMode
from gemba_core.orchestration.cost import CostAxis, CostSample
from gemba_core.orchestration.decode import record, wire
from gemba_core.orchestration.escalation import EscalationFilter
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.session import PeekMode
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.testing.outcome import NotApplicable, expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial

PROBES = Probes(Group.MANIFEST)

_NOBODY = "gemba-conformance-nobody"


@PROBES.probe
async def list_agents_returns_declared_capabilities(trial: Trial) -> None:
    """Each agent that is listed is read back as it was listed."""
    for agent in await trial.adaptor.list_agents(AgentFilter()):
        read = await trial.adaptor.read_agent(agent.id)
        expect(read == agent, f"read_agent({agent.id!r}) gives {read!r}, listed was {agent!r}")


@PROBES.probe
async def unknown_agent_is_none(trial: Trial) -> None:
    """An agent that there is not is None, no error."""
    found = await trial.adaptor.read_agent(_NOBODY)
    expect(found is None, f"read_agent of an unknown id gives {found!r}")


@PROBES.probe
async def manifest_round_trips_json(trial: Trial) -> None:
    """The manifest survives its way over a wire."""
    there = json.loads(json.dumps(wire(trial.manifest)))
    back = record(OrchestrationCapabilityManifest, there)
    expect(back == trial.manifest, f"sent as {trial.manifest!r}, it arrives as {back!r}")


@PROBES.probe
async def describe_is_idempotent(trial: Trial) -> None:
    """The manifest is the same on every call, also when sessions run."""
    await trial.session()
    again = trial.adaptor.describe()
    expect(again == trial.manifest, f"first {trial.manifest!r}, then {again!r}")


@PROBES.probe
async def manifest_declares_a_cost_axis(trial: Trial) -> None:
    """At least one cost axis is declared."""
    expect(trial.manifest.cost_axes, "cost_axes is empty")


@PROBES.probe
async def manifest_declares_a_strategy(trial: Trial) -> None:
    """It is declared how work comes to an agent."""
    expect(trial.manifest.assignment_strategies, "assignment_strategies is empty")


@PROBES.probe
async def every_workspace_kind_is_fs_scoped(trial: Trial) -> None:
    """Every declared kind of workspace guarantees fs_scoped."""
    for kind in trial.kinds():
        isolation = trial.manifest.per_kind_isolation.get(kind)
        scoped = isolation is not None and isolation.fs_scoped
        expect(scoped, f"per_kind_isolation does not say fs_scoped of {kind}")


@PROBES.probe
async def default_workspace_kind_is_declared(trial: Trial) -> None:
    """The default kind is one of those that are offered."""
    default = trial.manifest.default_workspace_kind
    expect(
        default is None or default in trial.manifest.workspace_kinds,
        f"default_workspace_kind {default} is not among workspace_kinds",
    )


@PROBES.probe
async def declared_state_fabricates_nothing(trial: Trial) -> None:
    """A session that runs is observed, not declared: the declaration stays as it was."""
    declared = await trial.adaptor.declared_state()
    await trial.session()
    later = await trial.adaptor.declared_state()
    expect(_timeless(declared) == _timeless(later), "declared_state changed as a session began")
    expect(not later.sessions, "declared_state has sessions, which nobody declares")


@PROBES.probe
async def observed_state_shows_sessions(trial: Trial) -> None:
    """A live session is observed, and its assignment."""
    session = await trial.session()
    observed = await trial.adaptor.observed_state()
    expect(session.id in {one.id for one in observed.sessions}, f"{session.id} is not observed")
    assignments = {one.id for one in observed.assignments}
    expect(session.assignment_id in assignments, f"{session.assignment_id} is not observed")


@PROBES.probe
async def groups_use_declared_modes(trial: Trial) -> None:
    """Each group is presented in one of the declared modes."""
    for group in await trial.adaptor.list_groups():
        declared = group.mode in trial.manifest.group_modes
        expect(declared, f"group {group.id!r} is {group.mode}, which is not in group_modes")


@PROBES.probe
async def group_members_resolve(trial: Trial) -> None:
    """A group resolves to its members; a static one to those that it lists."""
    groups = await trial.adaptor.list_groups()
    if not groups:
        raise NotApplicable("there are no groups")
    for group in groups:
        members = await trial.adaptor.resolve_group_members(group.id)
        expect(isinstance(members, tuple), f"members of {group.id!r}: {members!r}, not a tuple")
        if group.mode is GroupMode.STATIC:
            ids = tuple(member.id for member in members)
            expect(ids == group.members.static, f"{group.members.static} resolves to {ids}")


@PROBES.probe
async def peek_follows_declared_modes(trial: Trial) -> None:
    """A look into a session gives what peek_modes declares, and no more."""
    session = await trial.session()
    peek = await trial.adaptor.peek_session(session.id)
    for mode in PeekMode:
        given = getattr(peek, mode.value) is not None
        declared = mode in trial.manifest.peek_modes
        expect(given == declared, f"{mode} is {_is(declared)} declared and {_is(given)} given")


@PROBES.probe
async def cost_samples_use_declared_axes(trial: Trial) -> None:
    """Samples are metered on the declared axes only."""
    if not trial.manifest.cost_axes:
        raise NotApplicable("no cost axis is declared")
    session = await trial.session()
    await trial.subject.begin_turn(trial.adaptor, session.id)
    await trial.subject.end_turn(trial.adaptor, session.id)
    samples = (await trial.end(session.id)).cost_samples
    expect(samples, "a session that had a turn has no cost sample")
    used = {axis for sample in samples for axis in _axes(sample)}
    undeclared = sorted(used - set(trial.manifest.cost_axes))
    expect(not undeclared, f"samples on axes that are not declared: {', '.join(undeclared)}")


@PROBES.probe
async def empty_lists_are_tuples(trial: Trial) -> None:
    """Where there is nothing to list, the list is an empty tuple, never None."""
    agents = await trial.adaptor.list_agents(AgentFilter(parent_id=_NOBODY))
    expect(agents == (), f"list_agents gives {agents!r} for nobody's children")
    nowhere = EscalationFilter(assignment_id=_NOBODY)
    escalations = await trial.adaptor.list_open_escalations(nowhere)
    expect(escalations == (), f"list_open_escalations gives {escalations!r} for no assignment")


def _timeless(topology: WorkspaceTopology) -> WorkspaceTopology:
    return replace(topology, captured_at=None)  # type: ignore[arg-type]  # told apart by the rest


def _is(so: bool) -> str:
    return "" if so else "not"


def _axes(sample: CostSample) -> list[CostAxis]:
    """Those on which the sample says something."""
    said = {
        CostAxis.TOKENS: sample.tokens,
        CostAxis.WALLCLOCK: sample.wallclock_seconds,
        CostAxis.DOLLARS_NATIVE: sample.dollars_native,
    }
    return [axis for axis, value in said.items() if value is not None]
