"""What mends itself, and that it is mended once."""

import pytest

from gemba_core.skills.lint import RULES, fixed, lint
from tests.skills.lint.written import COACH, STANDARD

GOOD = "---\nskill_id: tidy\nvariety: coach\ndescription: d\n---\nAsk with `gemba-ask`.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\ufeff" + GOOD, GOOD),
        (GOOD.replace("\n", "\r\n"), GOOD),
        (GOOD.replace("\n", "\r"), GOOD),
        ("\ufeff" + GOOD.replace("\n", "\r\n"), GOOD),
        (GOOD.replace(": d", ": no"), GOOD.replace(": d", ': "no"')),
        (GOOD.replace(": d", ": 1.10  # new"), GOOD.replace(": d", ': "1.10"  # new')),
        (
            "\ufeff" + GOOD.replace("tidy", "on").replace(": d", ": off").replace("\n", "\r\n"),
            GOOD.replace("tidy", '"on"').replace(": d", ': "off"'),
        ),
    ],
)
def test_safe_faults_are_mended(before: str, after: str) -> None:
    """Several at once; and the mended file has none."""
    mended = fixed(COACH, before.encode())
    assert mended == after.encode()
    assert lint(COACH, mended) == ()
    assert fixed(COACH, mended) == mended


def test_a_fault_that_needs_thought_is_left() -> None:
    """The file stays as it is, to the byte."""
    data = GOOD.replace("coach", "boss").encode()
    assert fixed(COACH, data) == data


def test_a_list_is_not_put_in_quotes() -> None:
    """Nobody knows what was meant."""
    data = GOOD.replace(": d", ": [a, b]").encode()
    assert fixed(COACH, data) == data


@pytest.mark.parametrize("byte", [b"\0", b"\xff"])
def test_what_is_no_text_is_left(byte: bytes) -> None:
    """A carriage return in it may be anything."""
    data = GOOD.replace("\n", "\r\n").encode() + byte
    assert fixed(COACH, data) == data


def test_only_what_was_selected_is_mended() -> None:
    """A rule that is not run changes nothing."""
    data = ("\ufeff" + GOOD.replace("\n", "\r\n")).encode()
    mended = fixed(COACH, data, [rule for rule in RULES if rule.id == "GS006"])
    assert mended == GOOD.replace("\n", "\r\n").encode()


def test_what_is_ignored_is_not_mended() -> None:
    """Somebody has looked at it."""
    text = GOOD.replace(": d", ": no  # gemba: ignore[GS008] an old reader wants it so")
    assert fixed(COACH, text.encode()) == text.encode()


def test_only_rules_that_say_so_mend() -> None:
    """What `gemba skills rules` tells is what happens."""
    mending = set()
    for rule in RULES:
        path = STANDARD if rule.scope == "standard" else COACH
        mending |= {
            one.rule for one in lint(path, rule.example.encode()) if one.fault.fix is not None
        }
    assert mending == {rule.id for rule in RULES if rule.fixable}
