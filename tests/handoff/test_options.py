"""Choices in an agent's own words."""

import pytest

from gemba_core.handoff.options import options_in


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["sqlite", "postgres"], ("sqlite", "postgres")),
        ("Which?\n- sqlite\n* postgres", ("sqlite", "postgres")),
        ("1. the first\n2) the second\n(3) the third", ("the first", "the second", "the third")),
        ("a) one\nb) two", ("one", "two")),
        ("Pick (a) sqlite, or (b) postgres.", ("sqlite", "postgres")),
        ("1) wait; 2) go on", ("wait", "go on")),
        (
            "User must choose: Option A (one for all) or Option B (one each). By Friday.",
            ("Option A (one for all)", "Option B (one each)"),
        ),
        ("option 1: wait\noption 2: go on", ("option 1: wait", "option 2: go on")),
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
