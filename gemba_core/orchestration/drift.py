"""Where what runs is not what is declared. Source: spec 003, "Desired-vs-actual"."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from gemba_core.orchestration.topology import WorkspaceTopology


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference: `what` of that id is on one `side` only, or `differs`; `detail` says how."""

    what: str
    id: str
    side: Literal["declared", "observed", "differs"]
    detail: str


class _Known(Protocol):
    @property
    def id(self) -> str: ...


def drift(declared: WorkspaceTopology, observed: WorkspaceTopology) -> tuple[Drift, ...]:
    """The differences; where nothing is declared, only the sessions that are lost.

    Their `provider_metadata` says so: nobody keeps them any more. An agent that is
    declared and does not run is no drift: it may have nothing to do. Sessions,
    workspaces and assignments are compared only where some are declared.
    """
    found = [
        Drift("session", session.id, "observed", "its agent is gone, and nobody keeps it: end it")
        for session in observed.sessions
        if session.provider_metadata.get("lost")
    ]
    known = {agent.id for agent in declared.agents}
    if known:
        found += [
            Drift("agent", agent.id, "observed", "it is there, and not declared")
            for agent in observed.agents
            if agent.id not in known
        ]
        found += [
            Drift(
                "session", session.id, "observed", f"its agent {session.agent_id} is not declared"
            )
            for session in observed.sessions
            if session.agent_id not in known and not session.status.is_terminal
        ]
    found += _compared("group", declared.groups, observed.groups)
    found += _compared("workspace", declared.workspaces, observed.workspaces)
    found += _compared("assignment", declared.assignments, observed.assignments)
    found += _compared("session", declared.sessions, observed.sessions)
    there = {group.id: group for group in observed.groups}
    found += [
        Drift("group", group.id, "differs", "its members are not those that are declared")
        for group in declared.groups
        if group.id in there and there[group.id].members != group.members
    ]
    return tuple(found)


def _compared(what: str, declared: Iterable[_Known], observed: Iterable[_Known]) -> list[Drift]:
    wanted, there = {one.id for one in declared}, {one.id for one in observed}
    if not wanted:
        return []
    return [
        *(Drift(what, id, "declared", "it is not there") for id in sorted(wanted - there)),
        *(Drift(what, id, "observed", "it is not declared") for id in sorted(there - wanted)),
    ]
