"""What is known of the clients' input lines."""

import pytest

from gemba_core.panes import composer_of, refusal, settling, typable


@pytest.mark.parametrize(
    ("agent_type", "text"),
    [("claude", "/help"), ("claude", "# note"), ("codex", "$skill"), ("gemini", "@file")],
)
def test_a_first_character_that_is_obeyed_gets_a_space_in_front(agent_type: str, text: str) -> None:
    """What the client would take for a command reaches it as text."""
    assert typable(text, composer_of(agent_type)) == f" {text}"


@pytest.mark.parametrize("agent_type", ["claude", "codex", "gemini", "shell-only", ""])
def test_any_other_text_is_left_as_it_is(agent_type: str) -> None:
    """A text that begins with a letter is typed unchanged."""
    assert typable("yes /help", composer_of(agent_type)) == "yes /help"


@pytest.mark.parametrize("agent_type", ["claude", "codex", "gemini"])
def test_a_client_with_bracketed_paste_takes_any_text(agent_type: str) -> None:
    """Length and lines don't matter where a paste arrives whole."""
    assert refusal("line\n" * 20_000, composer_of(agent_type)) is None


@pytest.mark.parametrize("text", ["two\nlines", "x" * 4001, "ä" * 2001])
def test_a_text_that_would_be_cut_or_split_is_refused_with_a_way_out(text: str) -> None:
    """Without bracketed paste more than one short line is refused, and --wait is named."""
    assert "gemba-ask --wait" in (refusal(text, composer_of("shell-only")) or "")


@pytest.mark.parametrize("text", ["yes", "x" * 4000, "ä" * 2000])
def test_one_line_of_4000_bytes_is_not_refused(text: str) -> None:
    """A terminal hands out one line of that length unchanged."""
    assert refusal(text, composer_of("shell-only")) is None


def test_a_longer_text_settles_longer() -> None:
    """The pause before Enter starts at 200 ms and grows with the text."""
    composer = composer_of("codex")
    assert 0.2 <= settling("yes", composer) < settling("x" * 65536, composer)
