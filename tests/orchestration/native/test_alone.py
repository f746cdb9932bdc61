"""One assignment's workspace, and several that are at work on it: each waits for the other."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from gemba_core.lifelock import LifeLock
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import ledger, places
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.session import SessionPrompt, SessionStatus
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind, WorkspaceRequest
from gemba_core.testing.native import left_of
from tests.commands import environment
from tests.orchestration.native.conftest import git
from tests.orchestration.native.scene import ended, eventually, hook, started, within

CALLERS, MANY = 4, 40
_ACQUIRES = """
import asyncio, sys
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest
async def main(root, kind):
    async with open_native(root, mend=False) as adaptor:
        id = (await adaptor.assign("idle")).id
        request = WorkspaceRequest(assignment_id=id, repository=root, preferred_kind=kind)
        print((await adaptor.acquire_workspace(request)).worktree_path)
asyncio.run(main(sys.argv[1], WorkspaceKind(sys.argv[2])))
"""


def acquired_elsewhere(root: Path, kind: WorkspaceKind) -> str:
    """The folder of a workspace that another process has acquired."""
    words = [sys.executable, "-c", _ACQUIRES, str(root), kind]
    done = subprocess.run(words, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


async def nothing(_: NativeAdaptor) -> None:
    """Open the adaptor, and close it."""


async def acquired(adaptor: NativeAdaptor, root: Path, id: str) -> Workspace:
    """A worktree for that assignment."""
    kind = WorkspaceKind.WORKTREE
    request = WorkspaceRequest(assignment_id=id, repository=str(root), preferred_kind=kind)
    return await adaptor.acquire_workspace(request)


@pytest.mark.parametrize("kind", [WorkspaceKind.WORKTREE, WorkspaceKind.SUBPROCESS])
def test_an_opening_leaves_what_is_acquired_meanwhile(
    root: Path, bwrap: None, monkeypatch: pytest.MonkeyPatch, kind: WorkspaceKind
) -> None:
    """After each look of ours at the record, another process acquires a workspace."""
    made: list[str] = []
    kept = ledger.kept

    def looked(**how: Any) -> Any:
        found = kept(**how)
        if len(made) < CALLERS:
            made.append(acquired_elsewhere(root, kind))
        return found

    monkeypatch.setattr(ledger, "kept", looked)
    within(root, nothing)

    assert made
    assert [path for path in made if not os.path.isdir(path)] == []


@pytest.mark.parametrize("kind", [WorkspaceKind.WORKTREE, WorkspaceKind.SUBPROCESS])
def test_what_nobody_knows_of_is_cleared_by_the_next_opening(
    root: Path, bwrap: None, kind: WorkspaceKind
) -> None:
    """The log of its assignment is gone."""
    id = os.path.basename(acquired_elsewhere(root, kind))
    os.unlink(home.log_path(id))

    within(root, nothing)

    assert left_of(id) == []


def test_the_work_of_what_nobody_knows_of_is_saved(root: Path, bwrap: None) -> None:
    """It is on the branch."""
    path = Path(acquired_elsewhere(root, WorkspaceKind.WORKTREE))
    os.unlink(home.log_path(path.name))
    (path / "new").write_text("mine")

    within(root, nothing)

    assert git(root, "show", f"gemba/{path.name}:new") == "mine"


def test_a_session_ends_whole_while_its_turn_is_brought_home(
    root: Path, bwrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end waits for the commits that are on their way to the branch."""
    reached, go = slow_git(root.parent, "unpack-objects", monkeypatch)

    async def both(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor, "writer", root=root)
        place = (await adaptor.inspect_workspace(session.id)).worktree_path
        await eventually(lambda: os.path.exists(f"{place}/done"), what="its commit")
        for name in ("UserPromptSubmit", "Stop"):
            await asyncio.to_thread(hook, session.id, name)
        await eventually(reached.exists, what="the landing to begin")
        end = asyncio.create_task(ended(adaptor, session.id))
        await asyncio.wait([end], timeout=0.5)
        go.touch()
        assert (await end).status is SessionStatus.COMPLETED
        assert left_of(session.id) == []
        assert git(root, "show", f"gemba/{session.id}:f") == "one\nmore"

    within(root, both)


def test_a_reservation_is_given_back_by_several_at_once(root: Path, bwrap: None) -> None:
    """None of them fails, and nothing is left when they are done."""

    async def given_back(adaptor: NativeAdaptor) -> list[str]:
        id = (await adaptor.assign("idle")).id
        await acquired(adaptor, root, id)
        await asyncio.gather(*(adaptor.release_reservation(id) for _ in range(CALLERS)))
        return left_of(id)

    assert within(root, given_back) == []


def test_a_reservation_is_given_back_while_its_workspace_is_made(
    root: Path, bwrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes it is told, and nothing is left."""
    reached, go = slow_git(root.parent, "worktree add", monkeypatch)

    async def both(adaptor: NativeAdaptor) -> list[str]:
        id = (await adaptor.assign("idle")).id
        making = asyncio.create_task(acquired(adaptor, root, id))
        await eventually(reached.exists, what="git to make the worktree")
        giving_back = asyncio.create_task(adaptor.release_reservation(id))
        await asyncio.wait([giving_back], timeout=0.5)
        go.touch()
        with pytest.raises(AdaptorError) as refused:
            await making
        assert refused.value.kind is ErrorKind.SESSION_CLOSED
        await giving_back
        return left_of(id)

    assert within(root, both) == []


def test_a_workspace_is_acquired_after_who_was_at_work_on_it(root: Path, bwrap: None) -> None:
    """It is waited for."""

    async def waited(adaptor: NativeAdaptor) -> bool:
        id = (await adaptor.assign("idle")).id
        with LifeLock(places.scope_lock_path(id)) as lock:
            assert lock.take()
            making = asyncio.create_task(acquired(adaptor, root, id))
            await asyncio.wait([making], timeout=0.5)
            is_early = making.done()
        await making
        return is_early

    assert within(root, waited) is False


def test_of_many_starts_at_once_one_is_the_session(root: Path) -> None:
    """There are more of them than there are threads; the others are told that it has begun."""

    async def raced(adaptor: NativeAdaptor) -> list[object]:
        id = (await adaptor.assign("idle")).id
        starts = (adaptor.start_session(id, SessionPrompt()) for _ in range(MANY))
        found: list[object] = await asyncio.gather(*starts, return_exceptions=True)
        return found

    found = within(root, raced)

    failures = [one.kind for one in found if isinstance(one, AdaptorError)]
    assert failures == [ErrorKind.SESSION_CLOSED] * (MANY - 1)


def slow_git(folder: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Let git wait at that command: it makes the first file, and goes on with the second."""
    reached, go = folder / "reached", folder / "go"
    program = folder / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase " $* " in *" {command} "*)\n'
        f"touch {reached}; until [ -e {go} ]; do sleep 0.02; done;; esac\n"
        f'exec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return reached, go
