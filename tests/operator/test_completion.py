"""What the shell completes: the names that the command takes, and no others."""

from pathlib import Path

import pytest

from tests.inbox.scene import answer, ask, delivery, hook
from tests.operator.test_terminal import completions


def test_reopen_is_offered_what_is_settled() -> None:
    """What is open it would refuse."""
    ask("open")
    settled = ask("settled")
    answer(settled)
    assert completions("gemba escalations reopen ", "3") == {settled}


def test_redeliver_is_offered_what_may_not_have_arrived() -> None:
    """Neither what is open nor what the agent has."""
    ask("open")
    held, arrived = ask("held", session="s2"), ask("arrived")
    answer(held)
    answer(arrived)
    hook("UserPromptSubmit", prompt="blue", session_id="c1")
    assert delivery(arrived)[0] == "acknowledged"
    assert completions("gemba escalations redeliver ", "3") == {held}


@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("gemba sessions show a", "3"),
        ("gemba log show a", "3"),
        ("gemba log verify a", "3"),
        ("gemba escalations list --session a", "4"),
    ],
)
def test_sessions_are_completed(words: str, position: str) -> None:
    """Wherever one is named."""
    ask(session="api")
    ask(session="web")
    assert completions(words, position) == {"api"}


def test_agents_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that agents.toml declares."""
    path = tmp_path / ".gemba" / "agents.toml"
    path.parent.mkdir()
    entries = (f'[[agent]]\nname = "{name}"\nbinary = "x"\n' for name in ("one", "two"))
    path.write_text("".join(entries))
    monkeypatch.chdir(tmp_path)
    assert completions("gemba run --agent t", "3") == {"two"}
