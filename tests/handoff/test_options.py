"""Choices in an agent's own words."""

import pytest

from gemba_core.handoff.options import options_in


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["sqlite", "postgres"], ("sqlite", "postgres")),
        ("Which?\n\n- sqlite\n* postgres", ("sqlite", "postgres")),
        (
            "The options:\n1. the first\n2) the second\n(3) the third",
            ("the first", "the second", "the third"),
        ),
        ("I have looked.\nPick one of\na) one\nb) two", ("one", "two")),
        ("Pick (a) sqlite, or (b) postgres.", ("sqlite", "postgres")),
        ("What now?\n1) wait; 2) go on", ("wait", "go on")),
        (
            "User must choose: Option A (one for all) or Option B (one each). By Friday.",
            ("Option A (one for all)", "Option B (one each)"),
        ),
        ("Which?\noption 1: wait\noption 2: go on", ("option 1: wait", "option 2: go on")),
        ("Choose one: .env | go on | stop.", (".env", "go on", "stop")),
    ],
)
def test_choices_are_found(given: object, found: tuple[str, ...]) -> None:
    """As lists, in a line, between bars."""
    assert options_in(given) == found


@pytest.mark.parametrize(
    "given",
    [
        *("", None, "Should I go on?", "sqlite or postgres?", "- only one", ["only one"]),
        *("See (a) only", "(b) then (a)", "see (c) and (d)", "- same\n- same", ["one", 2]),
        *(
            "Option A is best, option C is not",
            "a |",
            ["one", " "],
            [str(number) for number in range(10)],
            {"a": 1},
        ),
    ],
)
def test_where_there_is_doubt_there_are_none(given: object) -> None:
    """Then the person answers in words."""
    assert options_in(given) == ()


@pytest.mark.parametrize(
    "given",
    [
        "Steps so far:\n1. I read the code\n2. I found the bug\nWhat now?",
        "What now? Steps so far:\n1. I read the code\n2. I found the bug",
        "1. Read the code\n2. Mend it",
        "Which one?\n- sqlite\n- postgres\nI have tried both.",
        "Steps so far:\n- read\n- ran\nChoose for me: Error was: cat x | grep y",
        "What shall I do? Error was: cat x | grep y",
        "I have (a) read the code and (b) found the bug. What now?",
        "I tried option A and option B. Which one?",
    ],
)
def test_a_report_has_no_choices(given: str) -> None:
    """Only what stands behind words that ask for one is a choice."""
    assert options_in(given) == ()
