"""Enter is pressed when the text stands in the input line, and never into a dialog."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gemba_core.frame.text import deliverable
from gemba_core.panes import composer_of, guard, look, paste, press_enter
from tests.panes.conftest import Start, deliver
from tests.waiting import wait_until

CODEX = composer_of("codex")
DIALOG = """Allow this command?
  yes
> 1. yes
  2. no, and say why
second line
Type yes"""
ANSWERS = ["yes", "1. yes", "2", "Type yes", "first\nsecond line", "x" * 2000]


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "#{pane_id},}#(id)##[x]",
        r"\.[]^$*+?(){}| end",
        "日本語です",
        "e\u0301te\u0301",
        "first\nsecond",
        "tab\tb",
        "  indented\n    second,\n  third".strip(),
        "a rather long line that is wrapped by the terminal, " * 4 + "right at the end of it: ok",
        "line\n" * 60 + "the very last line",
        "All work and no play. " * 3000 + "end",
    ],
)
def test_a_text_in_the_input_line_is_submitted(start: Start, text: str) -> None:
    """One row, several, wrapped, scrolled away or replaced by a stand-in: Enter is pressed."""
    program = start("composer.py")
    deliver(program, text, CODEX)
    assert program.tells("submitted") == text


def test_usual_texts_are_submitted(start: Start) -> None:
    """Texts out of letters, digits and punctuation get their Enter, line after line."""
    program = start("composer.py", width=200, height=50)
    usual = st.characters(categories=["L", "N", "P", "Sm", "Sc", "Zs"], max_codepoint=0x17F)
    lines = st.lists(st.text(usual, max_size=80), min_size=1, max_size=4)
    submitted = 0

    @settings(
        max_examples=50,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(text=lines.map("\n".join).map(deliverable).filter(bool))
    @example(text="b\nb\nb")
    @example(text="0\n\n0")
    @example(text="0 \n0")
    def is_submitted(text: str) -> None:
        nonlocal submitted
        program.empty()
        deliver(program, text, CODEX)
        submitted += 1
        assert program.tells("submitted", submitted) == text

    is_submitted()


def test_a_text_that_was_on_the_screen_before_is_submitted(start: Start) -> None:
    """The same answer to a second question counts, although the first one still shows."""
    program = start("composer.py")
    for number in range(1, 4):
        wait_until(lambda: look(program.address).prompt == "> ", what="the empty input line")
        deliver(program, "yes", CODEX)
        assert program.tells("submitted", number) == "yes"


def test_a_format_in_the_text_is_not_evaluated(start: Start, tmp_path: Path) -> None:
    """A text that would run a command as a tmux format runs none."""
    program = start("composer.py")
    ran = tmp_path / "ran"
    text = f"#(touch {ran})"
    deliver(program, text, CODEX)
    assert program.tells("submitted") == text
    # A second round trip: jobs of the first would have been started by now.
    program.server.run("run-shell", "true")
    assert not ran.exists()


@pytest.mark.parametrize("text", ANSWERS)
def test_a_dialog_that_was_up_before_the_paste_is_not_approved(start: Start, text: str) -> None:
    """The dialog swallows the paste: no Enter follows, whatever the dialog shows."""
    program = start("composer.py", DIALOG)
    program.open_dialog()
    for number in range(1, 6):
        before = look(program.address)
        paste(program.address, text, "gemba-test")
        program.tells("swallowed", number)
        assert not press_enter(program.address, guard(program.address, text, CODEX, before))
    assert program.told("approved") == []


@pytest.mark.parametrize("text", ANSWERS)
def test_a_dialog_that_comes_between_paste_and_enter_is_not_approved(
    start: Start, text: str
) -> None:
    """The text was in the input line, but a dialog took its place: no Enter."""
    for _ in range(5):
        program = start("composer.py", DIALOG)
        before = look(program.address)
        paste(program.address, text, "gemba-test")
        program.tells("pasted")
        program.open_dialog()
        assert not press_enter(program.address, guard(program.address, text, CODEX, before))
        assert program.told("approved") == []


def test_nothing_pasted_means_no_enter(start: Start) -> None:
    """An input line that stayed empty is never submitted."""
    program = start("composer.py")
    before = look(program.address)
    assert not press_enter(program.address, guard(program.address, "yes", CODEX, before))
    assert program.told("submitted") == []


def test_a_changed_text_means_no_enter(start: Start) -> None:
    """A text that somebody went on typing at is theirs to submit."""
    program = start("composer.py")
    before = look(program.address)
    paste(program.address, "yes", "gemba-test")
    paste(program.address, " and no", "gemba-test")
    program.tells("pasted", 2)
    assert not press_enter(program.address, guard(program.address, "yes", CODEX, before))


def test_copy_mode_means_no_enter(start: Start) -> None:
    """Copy mode entered after the paste would take the key for itself."""
    program = start("composer.py")
    before = look(program.address)
    paste(program.address, "yes", "gemba-test")
    program.tells("pasted")
    condition = guard(program.address, "yes", CODEX, before)
    program.server.run("copy-mode", "-t", program.pane.pane_id)
    assert not press_enter(program.address, condition)
    program.server.run("send-keys", "-t", program.pane.pane_id, "-X", "cancel")
    assert press_enter(program.address, condition)


@pytest.mark.parametrize("other", ["server", "pane"])
def test_another_server_or_pane_means_no_enter(start: Start, other: str) -> None:
    """The identity of server and pane is part of the tested condition."""
    program = start("composer.py")
    before = look(program.address)
    paste(program.address, "yes", "gemba-test")
    program.tells("pasted")
    address = (
        replace(program.address, tmux_server_pid=1)
        if other == "server"
        else replace(program.address, tmux_pane="%99")
    )
    condition = guard(address, "yes", CODEX, before)
    assert not press_enter(program.address, condition)


def test_enter_is_pressed_once_for_a_text(start: Start) -> None:
    """Asked again after it was pressed, the guard finds an empty input line."""
    program = start("composer.py")
    before = look(program.address)
    paste(program.address, "yes", "gemba-test")
    condition = guard(program.address, "yes", CODEX, before)
    wait_until(lambda: press_enter(program.address, condition), what="Enter")
    program.tells("submitted")
    wait_until(lambda: look(program.address).prompt == "> ", what="the empty input line")
    assert not press_enter(program.address, condition)
    assert program.told("submitted") == ["yes"]
