"""Sessions from start to end, as a caller of the native adaptor sees them."""

import asyncio
import os
from pathlib import Path

import pytest

from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import EscalationResolution, EscalationResolutionKind
from gemba_core.orchestration.native import ledger
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.scope import new_nonce, run_session
from gemba_core.orchestration.session import (
    SessionCloseReason,
    SessionEndMode,
    SessionPrompt,
    SessionStatus,
)
from gemba_core.orchestration.workspace import WorkspaceKind
from gemba_core.panes import kept_socket
from gemba_core.testing.native import left_of
from tests.orchestration.native.conftest import git
from tests.orchestration.native.scene import (
    ask,
    ended,
    eventually,
    processes,
    seeing,
    started,
    states,
    statuses,
    within,
)


def test_an_agent_runs_in_a_pane_of_its_own(root: Path) -> None:
    """Its process has the session's name, and the session's pane shows what it prints."""

    async def seen(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor)
        assert processes(session.id)
        assert list(adaptor.server.panes()) == [session.id]

    within(root, seen)


def test_nothing_is_left_after_the_end(root: Path, bwrap: None) -> None:
    """No process, pane, worktree or lock, with a workspace and without."""

    async def left(adaptor: NativeAdaptor) -> list[str]:
        sessions = [await started(adaptor), await started(adaptor, root=root)]
        for session in sessions:
            await ended(adaptor, session.id)
        return [one for session in sessions for one in left_of(session.id)]

    assert within(root, left) == []


def test_leaving_the_adaptor_ends_its_sessions(root: Path) -> None:
    """As canceled: the scope was the caller's."""

    async def id(adaptor: NativeAdaptor) -> str:
        return (await started(adaptor)).id

    session_id = within(root, id)
    assert left_of(session_id) == []
    state = ledger.read(session_id, "session")
    assert state.plane is not None
    assert (state.plane.ending, state.close_reason) == ("canceled", "user_stop")


def test_an_agent_that_does_not_mind_signals_is_killed(root: Path) -> None:
    """After a while, and what it started with it."""

    async def left(adaptor: NativeAdaptor) -> list[str]:
        session = await started(adaptor, "stubborn")
        await ended(adaptor, session.id)
        return left_of(session.id)

    assert within(root, left) == []


def test_a_known_client_is_asked_to_leave(root: Path) -> None:
    """By its own keys, before any signal."""

    async def left(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor, "claude")
        await ended(adaptor, session.id)
        assert Path(os.path.expanduser("~/left")).read_text() == "left\n"

    within(root, left)


def test_what_left_the_agents_tree_is_found(root: Path) -> None:
    """A process in a session of its own, adopted by init, still has the session's name."""

    async def left(adaptor: NativeAdaptor) -> tuple[int, list[str]]:
        session = await started(adaptor, "stray")
        await eventually(lambda: len(processes(session.id)) >= 3, what="the stray process")
        before = len(processes(session.id))
        await ended(adaptor, session.id)
        return before, left_of(session.id)

    before, left_over = within(root, left)
    assert (before >= 3, left_over) == (True, [])


@pytest.mark.parametrize(
    ("agent", "status"),
    [("brief", SessionStatus.COMPLETED), ("broken", SessionStatus.FAILED)],
)
def test_an_agent_that_exits_ends_its_session(
    root: Path, agent: str, status: SessionStatus
) -> None:
    """With its own reason, and as failed where it says so by its exit status."""

    async def seen(adaptor: NativeAdaptor) -> None:
        async with seeing(adaptor) as events:
            session = await started(adaptor, agent)
            await eventually(lambda: statuses(events, session.id)[-1:] == [status], what="its end")
            last = events[-1].payload["after"]
        assert last["close_reason"] == SessionCloseReason.PROVIDER_EXIT
        assert left_of(session.id) == []

    within(root, seen)


def test_an_agent_that_cannot_run_leaves_nothing(root: Path) -> None:
    """process_failed, in words; the session is there as failed."""
    program = root / "idle"
    program.write_text("#!/no/such/interpreter\n")

    async def refused(adaptor: NativeAdaptor) -> tuple[AdaptorError, str]:
        assignment = await adaptor.assign("idle")
        with pytest.raises(AdaptorError) as caught:
            await adaptor.start_session(assignment.id, SessionPrompt())
        return caught.value, assignment.id

    error, id = within(root, refused)
    assert error.kind is ErrorKind.PROCESS_FAILED
    assert "idle" in error.message
    assert left_of(id) == []
    assert ledger.read(id, "session").status == "failed"


def test_a_missing_program_changes_nothing(root: Path) -> None:
    """The assignment is as it was, and can be started once the program is there."""
    program = root / "idle"
    text = program.read_text()
    program.unlink()

    async def retried(adaptor: NativeAdaptor) -> SessionStatus:
        assignment = await adaptor.assign("idle")
        with pytest.raises(AdaptorError, match="no such program"):
            await adaptor.start_session(assignment.id, SessionPrompt())
        program.write_text(text)
        program.chmod(0o755)
        return (await adaptor.start_session(assignment.id, SessionPrompt())).status

    assert within(root, retried) is SessionStatus.INITIALIZING


def test_a_start_that_is_cancelled_leaves_nothing(root: Path) -> None:
    """Whenever in its course: the session has ended when the cancellation is seen."""

    async def left(adaptor: NativeAdaptor) -> list[str]:
        assignment = await adaptor.assign("idle")
        start = asyncio.create_task(adaptor.start_session(assignment.id, SessionPrompt()))
        await eventually(lambda: left_of(assignment.id), what="something of it to be there")
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start
        return left_of(assignment.id)

    assert within(root, left) == []


def test_pause_stops_every_process(root: Path) -> None:
    """Until resume lets them go on; tmux does not wake them."""

    async def seen(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor)
        await eventually(lambda: len(processes(session.id)) > 1, what="its own child")
        paused = await adaptor.pause_session(session.id, new_nonce())
        assert paused.status is SessionStatus.SUSPENDED
        await eventually(lambda: states(processes(session.id)) == {"T"}, what="all to stop")
        resumed = await adaptor.resume_session(session.id, new_nonce())
        assert resumed.status is not SessionStatus.SUSPENDED
        await eventually(lambda: "T" not in states(processes(session.id)), what="all to go on")

    within(root, seen)


def test_a_paused_session_ends(root: Path) -> None:
    """What is stopped is woken to be ended."""

    async def left(adaptor: NativeAdaptor) -> list[str]:
        session = await started(adaptor)
        await adaptor.pause_session(session.id, new_nonce())
        await ended(adaptor, session.id)
        return left_of(session.id)

    assert within(root, left) == []


def test_work_that_was_not_committed_stays_on_its_branch(root: Path, bwrap: None) -> None:
    """The worktree is gone, the branch has what lay in it."""

    async def worked(adaptor: NativeAdaptor) -> str:
        session = await started(adaptor, "writer", root=root)
        place = (await adaptor.inspect_workspace(session.id)).worktree_path
        await eventually(lambda: os.path.exists(f"{place}/done"), what="the agent's work")
        await ended(adaptor, session.id)
        return session.id

    id = within(root, worked)
    assert git(root, "show", f"gemba/{id}:f") == "one\nmore"


def test_the_agent_is_told_where_it_is_and_what_to_do(root: Path) -> None:
    """Project, how to ask a person, and the caller's words, where its program takes no prompt."""

    async def told(adaptor: NativeAdaptor) -> str:
        path = Path(os.path.expanduser("~/told"))
        await started(adaptor, "told", text="Mend the tests.")
        await eventually(lambda: path.exists() and path.read_text(), what="what it was told")
        return path.read_text()

    said = within(root, told)
    assert said.startswith("You work on the project project.")
    assert "gemba-ask" in said
    assert said.endswith("Mend the tests.")


def test_a_blocking_escalation_suspends_until_it_is_decided(root: Path) -> None:
    """A subscriber sees both, with the escalation's own events before."""

    async def seen(adaptor: NativeAdaptor) -> list[str]:
        async with seeing(adaptor) as events:
            session = await started(adaptor)
            escalation_id = await asyncio.to_thread(ask, session.id)
            await eventually(
                lambda: statuses(events, session.id)[-1] == "suspended", what="the block"
            )
            [request] = await adaptor.list_pending_requests(session.id)
            assert request.id == escalation_id
            decision = EscalationResolution(
                kind=EscalationResolutionKind.MODIFY, resolved_by="anna", value="yes"
            )
            await adaptor.resolve_escalation(request.id, decision, new_nonce())
            await eventually(
                lambda: statuses(events, session.id)[-1] == "working", what="the way on"
            )
            return [event.kind.value for event in events]

    assert within(root, seen) == [
        "reservation_claimed",
        "session_transition",
        "escalation_opened",
        "session_transition",
        "escalation_resolved",
        "session_transition",
    ]


def test_a_scope_of_the_callers_own_ends_its_session(root: Path, bwrap: None) -> None:
    """In a scratch folder of its own, too."""

    async def left(adaptor: NativeAdaptor) -> list[str]:
        assignment = await adaptor.assign("idle")
        async with run_session(adaptor, assignment.id) as session:
            pass
        return left_of(session.id)

    assert within(root, left) == []


def test_two_processes_end_one_session_once(root: Path) -> None:
    """The other one asks, the owner ends it, and both see the same end."""

    async def both(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor)

        async def from_elsewhere() -> object:
            def run() -> object:
                return within(
                    root,
                    lambda other: other.end_session(
                        session.id, SessionEndMode.COMPLETED, new_nonce()
                    ),
                )

            return await asyncio.to_thread(run)

        mine, other = await asyncio.gather(ended(adaptor, session.id), from_elsewhere())
        assert mine == other

    within(root, both)


def test_the_peek_shows_the_pane(root: Path) -> None:
    """Transcript from tmux, the rest from the record."""

    async def peeked(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor, "broken")
        await eventually(lambda: left_of(session.id) == [], what="its end")
        peek = await adaptor.peek_session(session.id)
        assert peek.transcript is None
        assert peek.structured is not None
        assert peek.structured["session"]["close_reason"] == "provider_exit"

    within(root, peeked)


def test_an_agent_without_an_entry_is_told(root: Path) -> None:
    """session_not_found names it."""

    async def refused(adaptor: NativeAdaptor) -> ErrorKind:
        with pytest.raises(AdaptorError) as caught:
            await adaptor.assign("nobody")
        return caught.value.kind

    assert within(root, refused) is ErrorKind.SESSION_NOT_FOUND


def test_the_tmux_server_is_private(root: Path) -> None:
    """Its socket lies in a folder that is the person's alone."""

    async def mode(adaptor: NativeAdaptor) -> int:
        await started(adaptor)
        return os.stat(os.path.dirname(kept_socket())).st_mode & 0o777

    assert within(root, mode) == 0o700


def test_a_scratch_workspace_is_gone_with_its_session(root: Path, bwrap: None) -> None:
    """It has no branch to keep anything on."""

    async def left(adaptor: NativeAdaptor) -> list[str]:
        session = await started(adaptor, root=root, kind=WorkspaceKind.SUBPROCESS)
        await ended(adaptor, session.id)
        return left_of(session.id)

    assert within(root, left) == []
