"""The form in which a text is typed and compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.frame.text import counted, deliverable, one_line, shown, shown_line


@given(st.text())
def test_deliverable_changes_its_own_result_no_further(text: str) -> None:
    """A text that was typed compares equal to one that comes back."""
    assert deliverable(deliverable(text)) == deliverable(text)


@given(st.text())
def test_deliverable_leaves_no_control_character_but_newline_and_tab(text: str) -> None:
    """Nothing that a terminal would obey."""
    assert not set(deliverable(text)) & {
        chr(code) for code in (*range(9), *range(11, 32), *range(127, 160))
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("  a\tb  \n", "a\tb"),
        ("\x1b[31mred\x07", "[31mred"),
        ("\r\n \x00", ""),
        ("„é“ \U0001f600", "„é“ \U0001f600"),
    ],
)
def test_deliverable(text: str, expected: str) -> None:
    """CR and CRLF to LF, control characters removed, ends trimmed, all else kept."""
    assert deliverable(text) == expected


@given(st.text(), st.integers(1, 20))
def test_one_line_is_one_line_within_the_limit(text: str, limit: int) -> None:
    """Whatever the text."""
    shown = one_line(text, limit)
    assert len(shown) <= limit
    assert not {"\n", "\r", "\t"} & set(shown)


def test_one_line_shows_the_first_line_that_says_something() -> None:
    """Empty lines before it do not count; what was cut off is marked."""
    assert one_line("\n\n  First\tline\nsecond") == "First line"
    assert one_line("abcdef", 4) == "abc…"


def test_what_is_shown_turns_nothing_around() -> None:
    """The marks of direction are left out, the words are kept; in a line as in a page."""
    codes = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    marks = "".join(map(chr, codes))
    assert shown(f"{marks}a{marks}\n\x1bb ") == "a\nb"
    assert shown_line(f"{marks}\n{marks}a\nb") == "a"


def test_one_of_them_has_no_plural() -> None:
    """None of them has."""
    assert [counted(number, "log") for number in range(3)] == ["0 logs", "1 log", "2 logs"]
