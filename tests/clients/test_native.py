"""The real client in a session of the native adaptor: it begins, answers, pauses and leaves."""

import time

import pytest

from gemba_core.orchestration.native import bubblewrap
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionCloseReason
from gemba_core.testing.native import left_of
from tests.clients.codex import FREE, VETTED, Codex
from tests.clients.model import PAUSE, say
from tests.orchestration.native.conftest import git
from tests.orchestration.native.scene import (
    clear_away,
    ended,
    eventually,
    seeing,
    started,
    statuses,
    within,
)


@pytest.fixture
def agent(codex: Codex, monkeypatch: pytest.MonkeyPatch) -> str:
    """The client as an agent of its folder; its name."""
    for name, value in codex.environment.items():
        if not name.startswith("GEMBA_"):
            monkeypatch.setenv(name, value)
    (codex.folder / ".gemba").mkdir()
    (codex.folder / ".gemba" / "agents.toml").write_text(
        f'[[agent]]\nname = "codex"\nbinary = "{codex.program}"\nargs = ["{VETTED}", "{FREE}"]\n'
    )
    git(codex.folder, "add", ".")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(codex.folder, *who, "commit", "-q", "-m", "first")
    return "codex"


@pytest.mark.parametrize("is_scoped", [False, True], ids=["in its folder", "in a worktree"])
def test_a_session_of_the_real_client(codex: Codex, agent: str, is_scoped: bool) -> None:
    """Its first prompt is the composed one, its hooks tell its turn, and its own keys end it."""
    if is_scoped and (why := bubblewrap.unavailable()):
        pytest.skip(why)
    root = codex.folder if is_scoped else None
    codex.model.then(PAUSE, say("Done."))

    async def lived(adaptor: NativeAdaptor) -> None:
        async with seeing(adaptor) as events:
            session = await started(adaptor, agent, root=root, text="Mend the tests.")
            await eventually(
                lambda: statuses(events, session.id)[-1:] == ["working"], what="its turn"
            )
            await eventually(lambda: codex.model.is_thinking, what="the model's pause")
            await adaptor.pause_session(session.id, new_nonce())
            await adaptor.resume_session(session.id, new_nonce())
            codex.model.go_on()
            await eventually(
                lambda: statuses(events, session.id)[-1:] == ["ready"], what="the turn's end"
            )
            began = time.monotonic()
            over = await ended(adaptor, session.id)
            # Three keys, half a second each, come before the first signal.
            assert time.monotonic() - began < 1.5
            assert over.close_reason is SessionCloseReason.USER_STOP
            assert statuses(events, session.id)[-2:] == ["stalled", "completed"]
            assert left_of(session.id) == []

    try:
        within(codex.folder, lived)
    finally:
        clear_away()
    [prompt] = codex.model.prompts()
    assert prompt.startswith(f"You work on the project {codex.folder.name}")
    assert prompt.endswith("Mend the tests.")
