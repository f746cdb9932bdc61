"""gemba escalations show: everything that is known of one."""

import pytest

from gemba_core.log import record
from tests.inbox.scene import answer, ask, hook
from tests.operator.desk import escalations, told


def test_everything_is_shown() -> None:
    """Title, text, options, where it comes from, and how it was settled."""
    item = ask(
        "First line\nsecond line",
        title="Colour",
        bead_id="gm-7",
        options=[{"value": "blue", "label": "Deep blue"}, {"value": "green"}],
    )
    answer(item, value="blue")
    page = escalations("show", item).stdout
    for part in ("Colour", "second line", "[blue]", "Deep blue", "[green]", "gm-7", item, "s1"):
        assert part in page
    assert "answered" in page
    assert "anna via cli" in page


def test_the_first_line_of_a_text_is_said_once() -> None:
    """It is the title, where none was given."""
    page = escalations("show", ask("First line\nsecond line")).stdout
    assert page.startswith("First line\nsecond line\n\n")


def test_the_beginning_of_an_id_is_enough() -> None:
    """As with every command that takes an id."""
    item = ask()
    assert told("escalations", "show", item[:5])["id"] == item


def test_what_was_typed_in_the_turn_of_the_ask_is_shown_as_a_possible_reply() -> None:
    """It settles nothing: the person decides whether it was the answer."""
    hook("UserPromptSubmit", prompt="paint the door", session_id="c1")
    item = ask()
    hook("UserPromptSubmit", prompt="and hurry", session_id="c1")
    found = told("escalations", "show", item)
    assert (found["state"], found["possible_reply"]) == ("open", "and hurry")
    assert "and hurry" in escalations("show", item).stdout


@pytest.mark.parametrize("prefix", ["ffffffff", "", "%", "'; --", "é"])
def test_an_unknown_id_is_exit_4(prefix: str) -> None:
    """And it says where to look."""
    ask()
    done = escalations("show", prefix)
    assert (done.returncode, done.stdout) == (4, "")
    assert "no such escalation" in done.stderr


def test_an_ambiguous_prefix_is_exit_4() -> None:
    """The candidates are named; the whole id of one is not ambiguous."""
    ids = ["aa00000000000001", "aa00000000000002"]
    for one in ids:
        _ask_as(one)
    done = escalations("show", "aa")
    assert done.returncode == 4
    assert all(one in done.stderr for one in ids)
    assert told("escalations", "show", ids[0])["id"] == ids[0]


def test_the_same_id_in_two_sessions_is_ambiguous() -> None:
    """Nobody is answered by chance."""
    _ask_as("aa00000000000001", "a")
    _ask_as("aa00000000000001", "b")
    done = escalations("respond", "aa00000000000001", "x")
    assert done.returncode == 4
    assert "(a)" in done.stderr
    assert "(b)" in done.stderr


def _ask_as(event_id: str, session: str = "s1") -> None:
    payload: dict[str, object] = {"kind": "question", "role": "coach", "text": "x"}
    record(session, "GembaAsk", payload, event_id=event_id)
