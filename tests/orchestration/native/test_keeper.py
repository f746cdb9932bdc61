"""Who keeps a session: deaths are noticed, answers delivered, conflicts told, panes few."""

import asyncio
import json
import os
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from gemba_core.orchestration.escalation import EscalationResolution, EscalationResolutionKind
from gemba_core.orchestration.event import EventKind
from gemba_core.orchestration.native import ledger, places
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.exits import exited
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionStatus
from gemba_core.processes import ancestry
from gemba_core.testing.native import left_of
from tests.orchestration.native.conftest import git
from tests.orchestration.native.scene import (
    ask,
    ended,
    eventually,
    hook,
    kill,
    seeing,
    started,
    statuses,
    within,
)

MANY = 50


def test_the_end_of_a_process_is_told_by_the_kernel() -> None:
    """And one that has ended long ago is over at once."""

    async def seen() -> None:
        process = await asyncio.create_subprocess_exec("sleep", "1000")
        found = ancestry(process.pid)[0]
        waiting = asyncio.create_task(exited(found))
        await asyncio.sleep(0)
        assert not waiting.done()
        process.kill()
        await asyncio.wait_for(waiting, 10)
        await process.wait()
        await asyncio.wait_for(exited(found), 10)

    asyncio.run(seen())


def test_the_death_of_an_agent_is_seen_before_a_full_pass(root: Path) -> None:
    """Nobody polls for it."""

    async def seen(adaptor: NativeAdaptor) -> float:
        async with seeing(adaptor) as events:
            session = await started(adaptor)
            loop = asyncio.get_running_loop()
            kill(session.id)
            died = loop.time()
            await eventually(lambda: statuses(events, session.id)[-1] == "failed", what="its end")
            return loop.time() - died

    # Far above what it takes; who looked for it would do so in a full pass.
    assert within(root, seen) < 2.0


def test_a_lock_says_that_it_is_kept(root: Path) -> None:
    """As long as it lives, and no longer."""

    async def seen(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor)
        plane = ledger.read(session.id, "session").plane
        assert plane is not None
        assert os.path.join(home.home(), plane.lock or "") == places.scope_lock_path(session.id)
        assert os.path.exists(places.scope_lock_path(session.id))
        await ended(adaptor, session.id)
        assert os.listdir(places.scopes_dir()) == []

    within(root, seen)


def test_two_worktrees_that_change_one_file_are_told(root: Path, bwrap: None) -> None:
    """Each of their sessions, once."""

    async def seen(adaptor: NativeAdaptor) -> None:
        async with seeing(adaptor) as events:
            sessions = [await started(adaptor, "writer", root=root) for _ in range(2)]
            ids = sorted(session.id for session in sessions)

            def conflicts() -> list[dict[str, Any]]:
                kind = EventKind.POTENTIAL_CONFLICT
                told = [dict(event.payload) for event in events if event.kind is kind]
                return [one for one in told if one["path"] == "f"]

            await eventually(lambda: len(conflicts()) == 2, what="the conflicts")
            assert conflicts() == [{"path": "f", "session_ids": ids}] * 2

    within(root, seen)


def test_a_turns_end_brings_the_commits_to_their_branch(root: Path, bwrap: None) -> None:
    """While the session goes on."""

    async def landed(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor, "writer", root=root)
        place = (await adaptor.inspect_workspace(session.id)).worktree_path
        await eventually(lambda: os.path.exists(f"{place}/done"), what="its commit")
        branch = f"gemba/{session.id}:f"
        assert git(root, "show", branch) == "one"
        for name in ("UserPromptSubmit", "Stop"):
            await asyncio.to_thread(hook, session.id, name)
        await eventually(lambda: git(root, "show", branch) == "one\nmore", what="the commit there")

    within(root, landed)


def test_the_servers_own_environment_is_bare(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that starts the first pane does not own the server: its end must not end it."""
    monkeypatch.setenv("GEMBA_SESSION_ID", "around")

    async def seen(adaptor: NativeAdaptor) -> bytes:
        session = await started(adaptor)
        pane = adaptor.server.panes()[session.id]
        return Path(f"/proc/{pane.server_pid}/environ").read_bytes()

    assert b"GEMBA_" not in within(root, seen)


def test_an_agents_hook_makes_it_a_working_session(root: Path) -> None:
    """Its status follows its own hooks, as everywhere."""

    async def seen(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor)
        await asyncio.to_thread(hook, session.id, "UserPromptSubmit", '{"prompt": "go"}')
        peek = await adaptor.peek_session(session.id)
        assert peek.status is SessionStatus.WORKING
        assert json.loads(json.dumps(peek.structured))["session"]["active_turn_id"] == "1"

    within(root, seen)


def test_an_answer_is_typed_to_an_idle_agent(root: Path) -> None:
    """Its owner does that, without a watch or a server."""

    async def heard(adaptor: NativeAdaptor) -> None:
        path = Path(os.path.expanduser("~/heard"))
        session = await started(adaptor, "listener")
        escalation_id = await asyncio.to_thread(ask, session.id)
        answer = EscalationResolution(
            kind=EscalationResolutionKind.MODIFY, resolved_by="anna", value="blue"
        )
        await adaptor.resolve_escalation(escalation_id, answer, new_nonce())
        await eventually(lambda: path.exists() and path.read_text(), what="the answer")
        assert path.read_text() == "blue\n"

    within(root, heard)


def test_a_dead_owners_session_is_taken_over_by_who_is_there(root: Path) -> None:
    """Not only by who comes next."""

    async def taken(adaptor: NativeAdaptor) -> None:
        async with open_native(str(root), mend=False) as other:
            session = await started(other)
            # As if it died: its lock is free, and nobody ends anything.
            assert await other.sessions.close(detach=True) == {session.id}
            await eventually(lambda: session.id in adaptor.sessions.own, what="its new owner")

    within(root, taken)


@pytest.mark.torture
@pytest.mark.timeout(900)
def test_fifty_sessions_work_and_leave_nothing(
    root: Path, bwrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All at once; the state of all of them costs two tmux processes at most."""
    runs: list[str] = []
    run = subprocess.run

    def counted(words: list[str], **how: Any) -> Any:
        runs.append(words[0])
        return run(words, **how)

    def has_worked(place: str | None) -> bool:
        return os.path.exists(f"{place}/done")

    async def all_of_them(adaptor: NativeAdaptor) -> list[str]:
        sessions = [await started(adaptor, "writer", root=root) for _ in range(MANY)]
        for session in sessions:
            place = (await adaptor.inspect_workspace(session.id)).worktree_path
            await eventually(partial(has_worked, place), what="its work", timeout=60.0)
        with monkeypatch.context() as counting:
            counting.setattr(subprocess, "run", counted)
            observed = await adaptor.observed_state()
        assert len(observed.sessions) == MANY
        assert runs.count("tmux") <= 2
        await asyncio.gather(*(ended(adaptor, session.id) for session in sessions))
        return [one for session in sessions for one in left_of(session.id)]

    assert within(root, all_of_them) == []
    assert os.listdir(places.scopes_dir()) == []
