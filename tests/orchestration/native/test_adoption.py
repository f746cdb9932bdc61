"""An owner that dies leaves nothing behind for long: the next opening adopts, or clears away."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import ledger, places, records, workspaces
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.scope import new_nonce
from gemba_core.processes import ancestry, is_alive
from gemba_core.testing.native import left_of
from tests.commands import environment
from tests.orchestration.native.scene import (
    ended,
    eventually,
    kill,
    orphaned,
    processes,
    started,
    states,
    within,
)
from tests.waiting import wait_until

POINTS = 50
SOME = 4


def owner(root: Path, step: int = 0) -> subprocess.Popen[str]:
    """The program that keeps sessions, to be killed at that step."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.orchestration.native.owner", str(root), str(step)],
        cwd=Path(__file__).parents[3],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )


def recovered(adaptor: NativeAdaptor) -> dict[str, str]:
    """What was done with each session, by its id."""
    return {one.id: one.what for one in adaptor.recovered}


def test_a_living_agent_is_adopted(root: Path) -> None:
    """Whoever opens the adaptor next keeps it, and can end it."""
    id = orphaned(root)
    assert processes(id)

    async def done(adaptor: NativeAdaptor) -> dict[str, str]:
        await ended(adaptor, id)
        return recovered(adaptor)

    assert within(root, done) == {id: "adopted"}
    assert left_of(id) == []


def test_an_adopted_session_outlives_a_short_visit(root: Path) -> None:
    """A process of its own keeps it when the adaptor that adopted it is closed."""
    id = orphaned(root)

    async def looked(adaptor: NativeAdaptor) -> dict[str, str]:
        return recovered(adaptor)

    assert within(root, looked) == {id: "adopted"}
    assert processes(id)

    async def again(adaptor: NativeAdaptor) -> dict[str, str]:
        await ended(adaptor, id)
        return recovered(adaptor)

    wait_until(lambda: os.path.exists(places.scope_lock_path(id)), what="its keeper")
    assert within(root, again) == {}
    assert left_of(id) == []


def test_a_dead_agent_is_cleared_away(root: Path) -> None:
    """It ended by itself, and nobody was there to see it."""
    id = orphaned(root)
    kill(id)

    async def done(adaptor: NativeAdaptor) -> dict[str, str]:
        return recovered(adaptor)

    assert within(root, done) == {id: "ended"}
    assert left_of(id) == []
    assert ledger.read(id, "session").close_reason == "provider_exit"


def test_a_paused_session_is_adopted_as_paused(root: Path) -> None:
    """Its processes are stopped, whether or not its owner came to that."""
    id = orphaned(root)

    async def done(adaptor: NativeAdaptor) -> None:
        session = await adaptor.pause_session(id, new_nonce())
        assert session.status == "suspended"

    within(root, done)
    wait_until(lambda: os.path.exists(places.scope_lock_path(id)), what="its keeper")
    keeper = _keeper(id)
    for pid in processes(id):
        os.kill(pid, signal.SIGCONT)
    os.kill(keeper[0], signal.SIGKILL)
    wait_until(lambda: not is_alive(keeper), what="the keeper's end")

    async def stopped(adaptor: NativeAdaptor) -> None:
        assert recovered(adaptor) == {id: "adopted"}
        await eventually(lambda: states(processes(id)) == {"T"}, what="all to stop")
        await ended(adaptor, id)

    within(root, stopped)


def test_a_detached_session_is_kept_by_a_process_of_its_own(root: Path) -> None:
    """Which ends when the session has ended."""

    async def id_of(adaptor: NativeAdaptor) -> str:
        return (await started(adaptor)).id

    id = within(root, id_of, detach=True)
    wait_until(lambda: os.path.exists(places.scope_lock_path(id)), what="its keeper")
    keeper = _keeper(id)
    kill(id)
    wait_until(lambda: not is_alive(keeper), timeout=20.0, what="the keeper's end")
    assert left_of(id) == []


def test_what_was_reserved_too_long_is_given_back(root: Path, bwrap: None) -> None:
    """With its workspace."""

    async def reserved(adaptor: NativeAdaptor) -> str:
        return (await adaptor.assign("idle")).id

    id = within(root, reserved, ttl=0.0)

    async def done(adaptor: NativeAdaptor) -> dict[str, str]:
        return recovered(adaptor)

    # While it was open, the adaptor may have seen to it already.
    assert within(root, done) in ({id: "given back"}, {})
    assert records.plane_of(ledger.read(id, "assignment")).released_at is not None


def test_one_that_cannot_be_mended_is_told_and_stops_nobody(
    root: Path, bwrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are mended, and the adaptor opens."""

    async def reserved(adaptor: NativeAdaptor) -> str:
        return (await started(adaptor, root=root)).id

    def broken(_: object) -> None:
        raise AdaptorError(ErrorKind.PROCESS_FAILED, "git is not well")

    id, other = within(root, reserved, detach=True), orphaned(root)
    wait_until(lambda: os.path.exists(places.scope_lock_path(id)), what="its keeper")
    os.kill(_keeper(id)[0], signal.SIGKILL)
    kill(id)

    async def done(adaptor: NativeAdaptor) -> dict[str, str]:
        return recovered(adaptor)

    with monkeypatch.context() as patched:
        patched.setattr(workspaces, "release", broken)
        assert within(root, done) == {id: "failed", other: "adopted"}
    assert within(root, done)[id] == "ended"
    assert left_of(id) == []


def check_recovery(root: Path) -> None:
    """Every session that there is was adopted or cleared away, and said so; nothing leaks."""
    before = {
        state.session_id: records.plane_of(state)
        for state in ledger.kept()
        if records.plane_of(state).started_at is not None
    }

    async def done(adaptor: NativeAdaptor) -> None:
        what = recovered(adaptor)
        assert set(before) <= set(what), f"not a word of {set(before) - set(what)}"
        assert "failed" not in what.values(), adaptor.recovered
        for id in before:
            is_kept = what[id] == "adopted"
            assert bool(processes(id)) == is_kept
            await ended(adaptor, id)
        for state in ledger.kept():
            await adaptor.release_reservation(state.session_id)

    within(root, done)
    ids = [state.session_id for state in ledger.kept(ended=True)]
    assert [one for id in ids for one in left_of(id)] == []
    assert os.listdir(places.scopes_dir()) == []


def steps_of(root: Path) -> int:
    """How many steps there are in all."""
    with owner(root) as process:
        said, _ = process.communicate(timeout=120)
    return int(said)


@pytest.mark.parametrize("point", range(SOME))
def test_an_owner_killed_anywhere_leaves_nothing(root: Path, bwrap: None, point: int) -> None:
    """At a few points all over its course."""
    total = steps_of(root)
    with owner(root, total * (2 * point + 1) // (2 * SOME)) as process:
        process.communicate(timeout=120)
    check_recovery(root)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_an_owner_killed_at_any_of_fifty_points_leaves_nothing(root: Path, bwrap: None) -> None:
    """At points drawn by lot, one after the other in the same home."""
    total = steps_of(root)
    draw = random.Random(6)
    for _ in range(POINTS):
        step = draw.randrange(1, total + 1)
        with owner(root, step) as process:
            process.communicate(timeout=120)
        check_recovery(root)


def _keeper(id: str) -> tuple[int, int]:
    """The process that keeps that session."""
    words = ["sessions", "keep", id]

    def found() -> list[tuple[int, int]]:
        return [
            ancestry(int(entry.name))[0]
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit() and _words(entry)[-3:] == words
        ]

    return wait_until(found, what=f"the keeper of {id}")[0]


def _words(entry: Path) -> list[str]:
    try:
        return (entry / "cmdline").read_bytes().decode().split("\0")[:-1]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _states(id: str) -> set[str]:
    return {
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in processes(id)
    }
