"""Findings that somebody has looked at."""

import pytest

from gemba_core.skills.lint import chosen, lint
from tests.skills.lint.written import BODY, COACH, coach, found

WORDS = "Ask. Never call `gemba-ask --kind blocker`."


@pytest.mark.parametrize(
    "body",
    [
        f"{WORDS} <!-- gemba: ignore[GS106] named on purpose -->\n",
        f"{WORDS} <!-- gemba: ignore[blocker-words] named on purpose -->\n",
        f"{WORDS} <!--gemba:ignore[GS106] named on purpose-->\n",
        f"<!-- gemba: ignore[GS106] named on purpose -->\n{WORDS}\n",
        f"<!-- gemba: ignore[GS106] named on purpose -->\n\n{WORDS}\nand so on\n",
        f"<!-- gemba: ignore[GS106] named\non purpose -->\n\n- one\n- {WORDS}\n",
        f"- one\n\n  <!-- gemba: ignore[GS106] named on purpose -->\n  {WORDS}\n",
    ],
)
def test_an_ignore_hides_the_finding_of_its_line_or_of_the_next_block(body: str) -> None:
    """By the rule's id or name."""
    assert found(coach(body)) == []


def test_an_ignore_before_a_block_of_code_holds_for_all_of_it() -> None:
    """Comments inside would be code."""
    body = (
        "<!-- gemba: ignore[GS106, GS105] tried in a lesson -->\n"
        '```\ntrue\ngemba-ask --kind blocker --role coach --text "…"\n```\n'
    )
    assert found(coach(body)) == []


def test_an_ignore_holds_no_further_than_its_block() -> None:
    """The same fault further down is found."""
    body = f"<!-- gemba: ignore[GS106] on purpose -->\n{WORDS}\n\n{WORDS}\n"
    assert found(coach(body)) == [("GS106", BODY + 3)]


def test_an_ignore_in_front_matter_alone_on_its_line_holds_for_the_file() -> None:
    """For what has no line of its own."""
    text = coach("Nobody is asked.\n")
    alone = text.replace("---\n", "---\n# gemba: ignore[GS107] asks nothing\n", 1)
    assert found(text) == [("GS107", 1)]
    assert found(alone) == []


def test_an_ignore_behind_a_key_holds_for_its_line() -> None:
    """And for no other."""
    text = coach("gemba-ask\n").replace("coach", "boss  # gemba: ignore[GS102] from another tool")
    assert found(text) == []
    assert found(text.replace("variety", "x: 1 # gemba: ignore[GS102] y\nvariety", 1)) == [
        ("GS902", 3)
    ]


def test_an_ignore_without_a_reason_hides_and_is_a_finding() -> None:
    """The finding that it hides is not told twice."""
    assert found(coach(f"{WORDS} <!-- gemba: ignore[GS106] -->\n")) == [("GS901", BODY)]


@pytest.mark.parametrize("rules", ["GS105", "GS999", "GS106, GS105", ""])
def test_an_ignore_that_hides_nothing_is_a_finding(rules: str) -> None:
    """A rule that is not broken there, or does not exist; each of several by itself."""
    words = WORDS if "GS106" in rules else "Ask with `gemba-ask`."
    body = f"{words} <!-- gemba: ignore[{rules}] reason -->\n"
    assert found(coach(body)) == [("GS902", BODY)]


def test_an_ignore_of_a_rule_that_is_not_run_is_no_finding() -> None:
    """Nobody knows whether it would hide something."""
    body = f"{WORDS} <!-- gemba: ignore[GS106] on purpose -->\n"
    data = coach(body).encode()
    assert lint(COACH, data, chosen(["GS1", "GS9"], ["GS106"])) == ()


@pytest.mark.parametrize("code", ["`{}`", "```\n{}\n```"])
def test_an_ignore_in_code_is_none(code: str) -> None:
    """A skill may show how to write one."""
    shown = code.format("<!-- gemba: ignore[GS105] reason -->")
    assert found(coach(f"Ask with `gemba-ask`.\n\n{shown}\n")) == []
