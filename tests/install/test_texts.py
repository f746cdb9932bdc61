"""How our parts are laid out in the texts of others."""

import pytest

from gemba_core.install import json_text, marked, toml_list
from gemba_core.install.unfit import Unfit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}\n", '{\n  "k": [\n    1\n  ]\n}\n'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a": 1}\n', '{"a": 1, "k": [1]}\n'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}'),
        (
            '{\r\n    "a": 1\r\n}\r\n',
            '{\r\n    "a": 1,\r\n    "k": [\r\n        1\r\n    ]\r\n}\r\n',
        ),
        (
            '{ "a": 1.0,\n  "b": "\\u00e9" }',
            '{ "a": 1.0,\n  "b": "\\u00e9",\n  "k": [\n    1\n  ] }',
        ),
    ],
)
def test_a_member_is_added_as_its_neighbours_are_laid_out(text: str, expected: str) -> None:
    """Indentation, line ends and spaces; not a byte of the rest."""
    assert json_text.add(text, json_text.root(text), [1], "k") == expected


def test_of_a_repeated_key_the_last_counts() -> None:
    """As every reader of JSON takes it."""
    text = '{"a": {}, "a": {"b": 1}}'
    at = json_text.reach(text, ("a", "b"))
    assert at is not None
    assert text[at] == "1"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_item_is_removed_with_its_comma(place: int) -> None:
    """Wherever it stands."""
    text = "[\n  1,\n  2,\n  3\n]"
    part = json_text.parts(text, 0)[place]
    rest = [one for one in (1, 2, 3) if one != place + 1]
    assert json_text.remove(text, 0, part) == f"[\n  {rest[0]},\n  {rest[1]}\n]"


def test_what_is_nested_too_deep_is_refused() -> None:
    """And does not break us."""
    with pytest.raises(Unfit, match="not valid JSON"):
        json_text.parse("[" * 100_000)


@pytest.mark.parametrize("text", ["", "a\n", "a", "a\n\n", "a\r\nb\r\n"])
def test_a_block_is_added_at_the_end_and_replaced_in_place(text: str) -> None:
    """An empty line goes before it; a newer one takes its place."""
    once = marked.put_block(text, "one")
    assert marked.put_block(once, "one") == once
    more = once + "after\n"
    assert marked.put_block(more, "two") == more.replace("one", "two")
    assert marked.take_block(once, text) == text
    assert ("\r\n" in once) == ("\r\n" in text)
    assert "\n" not in once.replace("\r\n", "") or "\r\n" not in text


def test_marks_in_the_middle_of_a_line_are_text() -> None:
    """Somebody writes about them."""
    text = f"The mark {marked.BEGIN} begins it.\n"
    assert marked.take_block(marked.put_block(text, "x"), None) == text


def test_comments_of_a_list_stay() -> None:
    """Through put and take."""
    text = '[t] # a\nk = [ # b\n  "x", # c\n] # d\n'
    put = toml_list.put_item(text, "t", "k", "y")
    assert all(f"# {letter}" in put for letter in "abcd")
    assert toml_list.take_item(put, "t", "k", "y", None) == text


@pytest.mark.parametrize("text", ["t = 1\n", "[t]\nk = 1\n", "[[t]]\n"])
def test_a_list_that_is_something_else_is_refused(text: str) -> None:
    """It is not replaced."""
    with pytest.raises(Unfit, match=r"t\.k should be a list"):
        toml_list.put_item(text, "t", "k", "y")
