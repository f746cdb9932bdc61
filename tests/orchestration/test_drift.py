"""Declared against observed: what is told as drift, and what is not."""

from datetime import UTC, datetime

import pytest

from gemba_core.orchestration.agent import AgentGroup, AgentRef, GroupMembers, GroupMode
from gemba_core.orchestration.drift import Drift, drift
from gemba_core.orchestration.session import Session, SessionStatus
from gemba_core.orchestration.topology import WorkspaceTopology

NOW = datetime(2030, 1, 2, tzinfo=UTC)
CLAUDE, CODEX = AgentRef(id="claude", name="claude"), AgentRef(id="codex", name="codex")


def topology(
    *agents: AgentRef, sessions: tuple[Session, ...] = (), groups: tuple[AgentGroup, ...] = ()
) -> WorkspaceTopology:
    """These, captured at no moment in particular."""
    return WorkspaceTopology(captured_at=NOW, agents=agents, sessions=sessions, groups=groups)


def session(agent: str, status: SessionStatus = SessionStatus.WORKING) -> Session:
    """A session of that agent."""
    return Session(id="s", assignment_id="s", agent_id=agent, status=status, started_at=NOW)


def group(*members: str) -> AgentGroup:
    """A group that lists them."""
    return AgentGroup(
        id="g", display_name="G", mode=GroupMode.STATIC, members=GroupMembers(static=members)
    )


def test_without_a_declaration_nothing_drifts() -> None:
    """An adaptor without a declared form gives an empty topology."""
    assert drift(topology(), topology(CLAUDE, sessions=(session("claude"),))) == ()


def test_an_agent_that_is_declared_and_does_not_run_is_no_drift() -> None:
    """It may have nothing to do."""
    assert drift(topology(CLAUDE, CODEX), topology(CLAUDE)) == ()


def test_an_agent_that_is_not_declared_is_drift() -> None:
    """It is there on one side only."""
    assert drift(topology(CLAUDE), topology(CLAUDE, CODEX)) == (
        Drift("agent", "codex", "observed", "it is there, and not declared"),
    )


@pytest.mark.parametrize(
    ("status", "told"), [(SessionStatus.WORKING, 1), (SessionStatus.FAILED, 0)]
)
def test_a_live_session_of_an_unknown_agent_is_drift(status: SessionStatus, told: int) -> None:
    """One that has ended is history."""
    found = drift(topology(CLAUDE), topology(CLAUDE, sessions=(session("codex", status),)))
    assert [one.what for one in found] == ["session"] * told


def test_what_is_declared_and_not_there_is_drift() -> None:
    """A group that is gone, and one with other members."""
    assert [one.side for one in drift(topology(groups=(group("a"),)), topology())] == ["declared"]
    changed = drift(topology(groups=(group("a"),)), topology(groups=(group("a", "b"),)))
    assert [one.side for one in changed] == ["differs"]
