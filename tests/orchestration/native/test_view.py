"""What is on record, in the contract's records."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gemba_core.orchestration.assignment import AssignmentStatus
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.native import records
from gemba_core.orchestration.session import SessionCloseReason, SessionStatus
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    Workspace,
    WorkspaceKind,
    WorkspaceStatus,
)
from tests.builders import SESSION, ask, blocker, hook, plane, prompt, report, resolve, start, told

WORKSPACE = Workspace(
    id=SESSION,
    kind=WorkspaceKind.WORKTREE,
    status=WorkspaceStatus.READY,
    isolation=IsolationCapabilities(fs_scoped=True),
    created_at=datetime(2030, 1, 2, tzinfo=UTC),
)
CLAIMED = (plane("Reservation", "claimed", work_item_id="w1"),)
STARTED = (*CLAIMED, plane("Session", "start"))
LIVE = (*STARTED, start(), prompt("go"))
END = plane("Session", "end", mode="failed", close_reason="idle_timeout")


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((), SessionStatus.INITIALIZING),
        ((start(),), SessionStatus.READY),
        ((start(), prompt("go")), SessionStatus.WORKING),
        ((start(), ask(1)), SessionStatus.READY),
        ((blocker(1),), SessionStatus.SUSPENDED),
        ((plane("Session", "pause"),), SessionStatus.SUSPENDED),
        ((report("prompting"), blocker(1), resolve(1)), SessionStatus.WORKING),
        ((start(), report("prompting")), SessionStatus.PROMPTING),
        ((start(), hook("SessionEnd", reason="logout")), SessionStatus.STALLED),
        ((END,), SessionStatus.INITIALIZING),
        ((END, plane("Session", "ended")), SessionStatus.FAILED),
    ],
)
def test_the_status_is_the_planes(lines: tuple[bytes, ...], status: SessionStatus) -> None:
    """Suspended while blocked, and terminal only when all is released."""
    assert records.status(told(*STARTED, *lines).state) is status


def test_an_open_turn_is_the_active_one() -> None:
    """By its client's id if that has one, else by its number; none after its end."""
    assert records.session(told(*LIVE).state).active_turn_id == "1"
    named = told(*STARTED, start(), prompt("go", turn="t7")).state
    assert records.session(named).active_turn_id == "t7"
    assert records.session(told(*LIVE, hook("Stop")).state).active_turn_id is None


def test_a_terminal_session_says_why() -> None:
    """And has no turn, whatever its agent was at."""
    session = records.session(told(*LIVE, END, plane("Session", "ended")).state)
    assert session.close_reason is SessionCloseReason.IDLE_TIMEOUT
    assert session.active_turn_id is None
    assert session.ended_at is not None


def test_a_session_that_is_to_end_has_no_reason_yet() -> None:
    """It has ended when all is released."""
    assert records.session(told(*LIVE, END).state).close_reason is None


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (CLAIMED, AssignmentStatus.PENDING),
        ((*CLAIMED, plane("Reservation", "released")), AssignmentStatus.CANCELED),
        (STARTED, AssignmentStatus.ACTIVE),
        ((*STARTED, plane("Session", "pause")), AssignmentStatus.PAUSED),
        ((*STARTED, plane("Session", "ended")), AssignmentStatus.FINISHED),
        ((*STARTED, END, plane("Session", "ended")), AssignmentStatus.FAILED),
        (
            (*STARTED, plane("Session", "end", mode="canceled"), plane("Session", "ended")),
            AssignmentStatus.CANCELED,
        ),
    ],
)
def test_an_assignment_follows_its_session(
    lines: tuple[bytes, ...], status: AssignmentStatus
) -> None:
    """Reserved, at work, over."""
    assert records.assignment(told(*lines).state).status is status


@pytest.mark.parametrize("ts", [None, "", "yesterday", "2030-01-02T03:04:05"])
def test_a_time_that_cannot_be_read_is_the_epoch(ts: str | None) -> None:
    """Log lines are written by agents too."""
    assert records.moment(ts).timestamp() == 0.0


@pytest.mark.parametrize("given", [{}, {"id": "s"}, {"id": 1, "kind": "moon"}])
def test_a_workspace_that_is_none_is_not_believed(given: dict[str, object]) -> None:
    """An agent in a workspace can write to its own log."""
    assert records.workspace(told(*CLAIMED, placed(**given)).state) is None


def test_a_workspace_of_another_assignment_is_not_believed() -> None:
    """Else its release would release the other's."""
    assert records.workspace(told(*CLAIMED, placed(**wire(WORKSPACE))).state) == WORKSPACE
    other = wire(replace(WORKSPACE, id="other"))
    assert records.workspace(told(*CLAIMED, placed(**other)).state) is None


def test_a_workspace_is_in_use_while_its_session_lives() -> None:
    """Not before, and not after."""
    lines = (*CLAIMED, placed(**wire(WORKSPACE)))
    began = (*lines, plane("Session", "start"))
    over = (*began, plane("Session", "ended"))
    found = [records.workspace(told(*some).state) for some in (lines, began, over)]
    assert [one and one.status.value for one in found] == ["ready", "in_use", "ready"]


def test_a_reason_that_there_is_not_is_told_as_such() -> None:
    """It was written by nobody of ours."""
    over = plane("Session", "ended", close_reason="boredom")
    session = records.session(told(*STARTED, over).state)
    assert session.close_reason is SessionCloseReason.PROTOCOL_ERROR


def placed(**workspace: object) -> bytes:
    """GembaWorkspace: acquired, with that record."""
    return plane("Workspace", "acquired", workspace=workspace)
