"""The matrix of (mode, kind), and who may ask what."""

import pytest

from gemba_core.frame.vocabulary import KINDS, MODES, ROLES, may_ask, urgency


@pytest.mark.parametrize(
    ("mode", "kind", "expected"),
    [
        ("dangerous", "question", None),
        ("dangerous", "blocker", None),
        ("balanced", "question", "advisory"),
        ("balanced", "blocker", "blocking"),
        ("cautious", "question", "blocking"),
        ("cautious", "blocker", "blocking"),
    ],
)
def test_the_urgency_matrix(mode: str, kind: str, expected: str | None) -> None:
    """Dangerous drops, balanced tells the kinds apart, cautious blocks."""
    assert urgency(mode, kind) == expected


def test_words_that_are_not_in_the_matrix_have_no_urgency() -> None:
    """An unknown mode or kind is nobody's permission to block."""
    assert urgency("odd", "question") is None
    assert urgency("balanced", "wish") is None
    assert len(MODES) * len(KINDS) == 6


def test_a_coach_never_raises_a_blocker_and_all_else_is_allowed() -> None:
    """The one pair that is forbidden."""
    forbidden = [(role, kind) for role in ROLES for kind in KINDS if not may_ask(role, kind)]
    assert forbidden == [("coach", "blocker")]
