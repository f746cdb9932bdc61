"""What is pasted into a real pane arrives unchanged, or is known not to."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gemba_core.errors import PaneError
from gemba_core.frame.text import deliverable
from gemba_core.panes import (
    PaneAddress,
    composer_of,
    forget_buffers,
    look,
    paste,
    press_enter,
    refusal,
)
from tests.panes.conftest import Program, Start, deliver
from tests.waiting import wait_until

CODEX, UNKNOWN = composer_of("codex"), composer_of("shell-only")
AWKWARD = "-x C-c Enter 'a' \"b\" $HOME `id` \\ ; #{pane_id} #(id) %H ~ !\n\tsecond ä “日本” 🙂;"
LARGE = 'All work and no play; $HOME `id`\n日本語 "x" --;\t' * 1300 + "the end"

texts = st.text(min_size=1, max_size=300).map(deliverable).filter(bool)
a_real_pane = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def buffers(program: Program) -> str:
    return program.server.run("list-buffers", "-F", "#{buffer_name}")


def test_any_text_arrives_unchanged_where_pastes_are_bracketed(start: Start) -> None:
    """Quotes, key names, line breaks, Unicode, 64 KiB: the program gets `deliverable(text)`."""
    program = start("composer.py")
    arrived = 0

    @a_real_pane
    @given(text=texts)
    @example(text=AWKWARD)
    @example(text=LARGE)
    @example(text="x" * 65536)
    @example(text="-")
    @example(text=";")
    @example(text="C-c")
    @example(text="Enter")
    def arrives(text: str) -> None:
        nonlocal arrived
        paste(program.address, text, "gemba-test")
        arrived += 1
        assert program.tells("pasted", arrived) == text

    arrives()
    assert program.told("key") == []
    assert program.told("submitted") == []


def test_a_line_arrives_unchanged_where_pastes_are_not_bracketed(start: Start) -> None:
    """One line of up to 4,000 bytes is submitted as it is; anything else is refused."""
    program = start("line_reader.py")
    printable = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x2FFF), min_size=1)
    submitted = 0

    @a_real_pane
    @given(text=(printable | texts).map(deliverable).filter(bool))
    @example(text=AWKWARD)
    @example(text="x" * 4000)
    @example(text="x" * 4001)
    @example(text="ä" * 2000)
    def arrives(text: str) -> None:
        nonlocal submitted
        if refusal(text, UNKNOWN):
            assert "\n" in text or len(text.encode()) > 4000
            return
        paste(program.address, text, "gemba-test")
        program.server.send_keys(program.pane, "Enter")
        submitted += 1
        assert program.tells("submitted", submitted) == text

    arrives()
    assert len(program.told("submitted")) == submitted


def test_no_buffer_is_left_after_a_paste(start: Start) -> None:
    """The text is not kept where the person pastes from."""
    program = start("composer.py")
    paste(program.address, "yes", "gemba-test")
    assert buffers(program) == ""


def test_copy_mode_right_before_the_paste_stops_it(start: Start) -> None:
    """Pasted in copy mode a text would arrive unbracketed: nothing is pasted, no buffer is left."""
    program = start("composer.py")
    assert look(program.address).verdict == "free"
    program.server.run("copy-mode", "-t", program.pane.pane_id)
    with pytest.raises(PaneError, match="nothing was pasted"):
        paste(program.address, "yes", "gemba-test")
    assert buffers(program) == ""
    program.server.run("send-keys", "-t", program.pane.pane_id, "-X", "cancel")
    paste(program.address, "second", "gemba-test")
    assert program.tells("pasted") == "second"


def test_a_missing_pane_stops_the_paste(start: Start) -> None:
    """Nothing goes to another pane instead, and no buffer is left."""
    program = start("composer.py")
    with pytest.raises(PaneError, match="nothing was pasted"):
        paste(replace(program.address, tmux_pane="%99"), "yes", "gemba-test")
    assert buffers(program) == ""


def test_another_server_on_the_socket_stops_the_paste(start: Start) -> None:
    """The server's process is checked in the command that pastes."""
    program = start("composer.py")
    with pytest.raises(PaneError, match="nothing was pasted"):
        paste(replace(program.address, tmux_server_pid=1), "yes", "gemba-test")
    assert buffers(program) == ""


def test_without_a_server_the_paste_says_so(tmp_path: Path) -> None:
    """An unreachable server is an error that says that nothing was pasted."""
    address = PaneAddress(str(tmp_path / "none"), 1, "%0", None)
    with pytest.raises(PaneError, match="nothing was pasted"):
        paste(address, "yes", "gemba-test")


def test_without_a_server_enter_is_an_error(tmp_path: Path) -> None:
    """An unreachable server is not taken for a dialog."""
    address = PaneAddress(str(tmp_path / "none"), 1, "%0", None)
    with pytest.raises(PaneError, match="Enter was not pressed"):
        press_enter(address, "1")


@pytest.mark.parametrize("name", ["other", "gemba-", "gemba-a b", "gemba-a;kill-server"])
def test_a_buffer_name_that_could_be_a_command_is_refused(start: Start, name: str) -> None:
    """A buffer's name ends up in a tmux command, so it is plain."""
    with pytest.raises(PaneError, match="not a buffer's name"):
        paste(start("composer.py").address, "yes", name)


def test_left_over_buffers_are_forgotten_and_no_others(start: Start) -> None:
    """A crash between load and paste leaves a buffer; the person's own stay."""
    program = start("composer.py")
    for name in ("gemba-one", "gemba-two", "mine"):
        program.server.run("set-buffer", "-b", name, "text")
    forget_buffers(program.address)
    assert buffers(program).split() == ["mine"]


def test_forgetting_without_a_server_is_harmless(tmp_path: Path) -> None:
    """There is nothing to forget on a server that is gone."""
    forget_buffers(PaneAddress(str(tmp_path / "none"), 1, "%0", None))


def test_a_text_is_submitted_to_a_plain_line_reader(start: Start) -> None:
    """Look, paste and a guarded Enter hand an answer to a program that reads lines."""
    program = start("line_reader.py")
    for number, text in enumerate(["yes", "yes", "#{x} 'y' [z]*", "word " * 799 + "end"], start=1):
        deliver(program, text, UNKNOWN)
        assert program.tells("submitted", number) == text
        wait_until(lambda: look(program.address).prompt == "? ", what="the next prompt")
