"""The reaper ends what is idle, and nothing that is at work, paused or waiting for a person."""

import asyncio
from pathlib import Path

from gemba_core import home
from gemba_core.orchestration.native import ledger
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.scope import new_nonce
from tests.orchestration.native.scene import ask, eventually, hook, started, within

AT_ONCE = -1.0
NEVER = 3600.0


def reaped(root: Path, idle: float, *hooks: str) -> tuple[list[str], str]:
    """What a reaper ended of one session after these hooks, and that session's id."""

    async def seen(adaptor: NativeAdaptor) -> tuple[list[str], str]:
        session = await started(adaptor)
        for name in hooks:
            await asyncio.to_thread(hook, session.id, name)
        return await adaptor.reap(idle), session.id

    return within(root, seen)


def test_an_idle_session_ends_as_idle(root: Path) -> None:
    """Its turn is over, and nothing has happened since."""
    ended, id = reaped(root, AT_ONCE, "UserPromptSubmit", "Stop")
    assert ended == [id]
    assert ledger.read(id, "session").close_reason == "idle_timeout"


def test_a_session_in_its_turn_is_spared(root: Path) -> None:
    """However long it takes."""
    assert reaped(root, AT_ONCE, "UserPromptSubmit")[0] == []


def test_a_session_with_signs_of_life_is_spared(root: Path) -> None:
    """It has just begun."""
    assert reaped(root, NEVER)[0] == []


def test_a_paused_session_is_spared(root: Path) -> None:
    """A person has stopped it, and will let it go on."""

    async def seen(adaptor: NativeAdaptor) -> list[str]:
        session = await started(adaptor)
        await adaptor.pause_session(session.id, new_nonce())
        return await adaptor.reap(AT_ONCE)

    assert within(root, seen) == []


def test_a_session_that_waits_for_a_person_is_spared(root: Path) -> None:
    """Else its question would be lost."""

    async def seen(adaptor: NativeAdaptor) -> list[str]:
        session = await started(adaptor)
        await asyncio.to_thread(ask, session.id)
        return await adaptor.reap(AT_ONCE)

    assert within(root, seen) == []


def test_an_owner_reaps_its_own_where_the_operator_says_so(root: Path) -> None:
    """`idle_timeout` in the configuration; without it a session may idle for ever."""
    home.write_private(home.config_path(), b'[orchestration]\nidle_timeout = "1s"\n')

    async def seen(adaptor: NativeAdaptor) -> None:
        session = await started(adaptor)
        await eventually(
            lambda: ledger.read(session.id, "session").close_reason == "idle_timeout",
            what="its end",
        )

    within(root, seen)
