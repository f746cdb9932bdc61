"""Agents and groups of them, as a plane shows them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class AgentKind(StrEnum):
    """Who acts."""

    AGENT = "agent"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRef:
    """An agent, or a person. `dialect` is the program that it runs, as its adaptor calls it."""

    id: str
    name: str
    agent_kind: AgentKind = AgentKind.AGENT
    parent_id: str | None = None
    role: str | None = None
    workspace: str | None = None
    dialect: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFilter:
    """Which agents; None means any."""

    parent_id: str | None = None
    agent_kind: AgentKind | None = None
    group_id: str | None = None
    workspace: str | None = None


class GroupMode(StrEnum):
    """How a group's members are known: listed, asked for, or by a topology."""

    STATIC = "static"
    POOL = "pool"
    GRAPH = "graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMembers:
    """A group's members: only what belongs to its mode is given."""

    static: tuple[str, ...] = ()
    pool_check_url: str | None = None
    pool_min: int | None = None
    pool_max: int | None = None
    graph_topology_id: str | None = None
    graph_resolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGroup:
    """Some agents under one name."""

    id: str
    display_name: str
    mode: GroupMode
    members: GroupMembers = GroupMembers()
    repository: tuple[str, ...] = ()
    extension: Mapping[str, Any] = field(default_factory=dict)
