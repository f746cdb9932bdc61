"""A skill's file in its parts, with positions; faults are data and never errors."""

import os
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.skills.document import MAX_FILE, Document, Position, body_of, parse, read
from gemba_core.skills.front_matter import MAX_DEPTH, MAX_TEXT


def parsed(text: str) -> Document:
    """The document of a file with that text."""
    return parse("skill.md", text.encode())


def codes(text: str) -> list[str]:
    """What is wrong with a file of that text."""
    return [problem.code for problem in parsed(text).problems]


def values(document: Document) -> dict[str, object]:
    """The fields without their positions."""
    return {key: field.value for key, field in document.fields.items()}


def test_a_file_has_front_matter_and_a_body() -> None:
    """Fields in their order, the body behind them and the line on which it begins."""
    found = parsed("---\nskill_id: a\nvariety: coach\n---\n# A\n\nDo it.\n")
    assert list(values(found).items()) == [("skill_id", "a"), ("variety", "coach")]
    assert (found.body, found.body_line) == ("# A\n\nDo it.\n", 5)
    assert found.has_front_matter
    assert not found.problems


def test_without_front_matter_all_is_body() -> None:
    """A rule of three dashes further down is no front matter."""
    found = parsed("# A\n\n---\n\nText\n")
    assert found.body == found.text == "# A\n\n---\n\nText\n"
    assert not found.has_front_matter
    assert (found.body_line, found.problems) == (1, ())


def test_dashes_within_a_value_do_not_end_it() -> None:
    """The end is a line of its own."""
    found = parsed('---\nname: "--- a ---"\ntext: |\n  ---\n  more\n---\nbody')
    assert values(found) == {"name": "--- a ---", "text": "---\nmore\n"}
    assert found.body == "body"


def test_every_value_has_its_place() -> None:
    """Key, begin and end of a value, by line and column."""
    field = parsed("---\na: 1\nname:   'two words' # why\n---\n").fields["name"]
    assert field.key_at == Position(3, 1)
    assert field.value_at == Position(3, 9)
    assert field.value_end == Position(3, 20)


def test_a_colon_in_a_plain_text_says_what_to_do() -> None:
    """Many make that slip, and the parser's words are of little help."""
    (problem,) = parsed("---\nname: a\ndescription: Tidies: all\n---\n").problems
    assert problem.message.endswith("; put a text with a colon in it in quotes")


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(ends: str) -> None:
    """As saved by any editor it is the same document."""
    text = "---\nname: a\n---\nbody\nmore\n"
    assert parsed("\ufeff" + text.replace("\n", ends)) == parsed(text)


def test_a_column_counts_characters() -> None:
    """Letters of several bytes count once, those outside of the basic plane too."""
    assert parsed("---\nä😀: ü😀\n---\n").fields["ä😀"].value_at == Position(2, 5)


def test_a_line_separator_within_a_value_moves_no_line() -> None:
    """U+2028 and U+0085 end a line for YAML, but for no editor's line count."""
    found = parsed('---\na: "x\u2028y\u0085z"\nb: 1\n---\n')
    assert found.fields["b"].key_at == Position(3, 1)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", False),
        ("On", True),
        ("'no'", "no"),
        ("", None),
        ("~", None),
        ("12", 12),
        ("0x1F", 31),
        ("1.5", 1.5),
        ("2026-11-01", "2026-11-01"),
        ("!!str no", "no"),
        ("[a, 'b']", ["a", "b"]),
        ("{a: {b: no}}", {"a": {"b": False}}),
        ("0x_", "0x_"),
    ],
)
def test_a_value_is_what_yaml_makes_of_it(written: str, value: object) -> None:
    """An unquoted `no` is seen as false; a date stays text."""
    found = parsed(f"---\na: {written}\n---\n")
    assert values(found) == {"a": value}
    assert not found.problems


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("---\na: 1\nb: 2\na: 3\n---\n", "duplicate-key", 4, 1),
        ("---\nm: {x: 1, x: 2}\n---\n", "duplicate-key", 2, 11),
        ("---\na: [1\n---\n", "yaml", 3, 1),
        ("---\na: 1\n\tb: 2\n---\n", "yaml", 3, 1),
        ("---\na: \x07\n---\n", "yaml", 2, 4),
        ("---\n[a]: 1\n---\n", "yaml", 2, 1),
        ("---\na: 1\n...\nb: 2\n---\n", "yaml", 3, 1),
        ("---\na: *x\n---\n", "alias", 2, 4),
        ("---\na: !!python/name:os.system\n---\n", "tag", 2, 4),
        ("---\n- a\n---\n", "not-a-mapping", 2, 1),
        ("---\njust words\n---\n", "not-a-mapping", 2, 1),
        ("---\nname: a\n", "unclosed", 1, 1),
        ("a\nb\0c", "encoding", 2, 2),
    ],
)
def test_a_fault_is_a_problem_at_its_place(text: str, code: str, line: int, column: int) -> None:
    """One problem, with code and position."""
    (problem,) = parsed(text).problems
    assert (problem.code, problem.at) == (code, Position(line, column))


def test_bytes_that_are_not_utf8_are_told_at_their_place() -> None:
    """The rest of the file is read all the same."""
    found = parse("skill.md", b"---\r\nname: a\r\n---\r\nfine\r\nw\xff\n")
    (problem,) = found.problems
    assert (problem.code, problem.at) == ("encoding", Position(5, 2))
    assert values(found) == {"name": "a"}


def test_of_a_duplicate_key_the_first_counts() -> None:
    """What is read first is not silently replaced."""
    assert values(parsed("---\na: 1\na: 2\n---\n")) == {"a": 1}


def test_what_was_read_before_a_fault_is_kept() -> None:
    """So a broken skill can be listed by its name."""
    assert values(parsed("---\nname: a\nb: [\n---\n")) == {"name": "a"}


def test_a_text_may_be_repeated_by_an_alias() -> None:
    """A list may not: repeated lists are how small files grow large."""
    assert values(parsed("---\na: &x some\nb: *x\n---\n")) == {"a": "some", "b": "some"}
    assert codes("---\na: &x [1]\nb: *x\n---\n") == ["alias"]


def test_a_bomb_of_aliases_stays_small() -> None:
    """Ten levels of ten would be ten thousand millions of values."""
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{f'*a{n - 1},' * 10}]" for n in range(1, 11))]
    found = parsed("---\n" + "\n".join(lines) + "\n---\n")
    assert {problem.code for problem in found.problems} == {"alias"}
    assert len(repr(values(found))) < 10_000


@pytest.mark.parametrize("open_", ["[", "{a: ", "- "])
def test_depth_is_bounded(open_: str) -> None:
    """No depth of nesting exhausts a stack."""
    lead = "a:\n " if open_ == "- " else "a: "
    assert codes(f"---\n{lead}{open_ * 10_000}\n---\n") == ["too-deep"]
    assert codes(f"---\na: {'[' * (MAX_DEPTH - 1)}{']' * (MAX_DEPTH - 1)}\n---\n") == []


def test_sizes_are_bounded() -> None:
    """A front matter and a file that are too long are not read."""
    assert codes(f"---\na: {'x' * MAX_TEXT}\n---\n") == ["too-large"]
    assert codes("x" * (MAX_FILE + 1)) == ["too-large"]
    assert codes("x" * MAX_FILE) == []


def test_a_file_is_read_no_further_than_needed(tmp_path: Path) -> None:
    """Ten mebibytes are told as too large."""
    path = tmp_path / "large.md"
    path.write_bytes(b"x" * (10 << 20))
    assert [problem.code for problem in read(str(path)).problems] == ["too-large"]


def test_a_fifo_in_its_place_does_not_hang(tmp_path: Path) -> None:
    """It is an OSError as for any file that cannot be read."""
    os.mkfifo(tmp_path / "skill.md")
    with pytest.raises(OSError, match="not a regular file"):
        read(str(tmp_path / "skill.md"))


NAMES = st.from_regex(r"[a-z][a-z_-]{0,8}", fullmatch=True)
PLAIN = st.recursive(
    st.text() | st.booleans() | st.none() | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(NAMES, PLAIN, max_size=5), st.text())
def test_what_was_written_is_read(front: dict[str, object], body: str) -> None:
    """Any values, dumped by another program's YAML, come back; so does any body."""
    body = body.replace("\r", "").replace("\0", "")
    dumped = yaml.safe_dump(front, sort_keys=False) if front else ""
    found = parse("skill.md", f"---\n{dumped}---\n{body}".encode("utf-8", "replace"))
    assert not found.problems
    assert values(found) == front
    assert found.body.encode() == body.encode("utf-8", "replace")
    assert found.text.split("\n")[found.body_line - 1 :] == found.body.split("\n")


@given(st.dictionaries(NAMES, PLAIN, min_size=1, max_size=5))
def test_positions_point_at_keys_and_values(front: dict[str, object]) -> None:
    """A key stands where it is said to stand, and its value behind it."""
    found = parsed(f"---\n{yaml.safe_dump(front, sort_keys=False)}---\n")
    lines = found.text.split("\n")
    for field in found.fields.values():
        here = lines[field.key_at.line - 1][field.key_at.column - 1 :]
        assert re.match(f"(['\"]?){re.escape(field.key)}\\1:", here)
        assert (field.value_at.line, field.value_at.column) > (
            field.key_at.line,
            field.key_at.column,
        )
        assert (field.value_end.line, field.value_end.column) >= (
            field.value_at.line,
            field.value_at.column,
        )


SIGNS = "\n []{}'\"#|>~1%\t"
WORDS = [
    "a",
    "b: ",
    ": ",
    "- ",
    "  ",
    ", ",
    "? ",
    "&x ",
    "*x",
    "!",
    "!!str ",
    "---",
    "...",
    "no",
    "é",
]
YAMLISH = st.lists(st.sampled_from([*SIGNS, *WORDS]), max_size=30).map("".join)


class Reference(yaml.CSafeLoader):
    """PyYAML's own reading, but that keys are text."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        for key, _ in node.value:
            key.tag = "tag:yaml.org,2002:str"
        found: dict[object, object] = super().construct_mapping(node, deep)
        return found


@given(YAMLISH)
def test_what_is_read_without_a_problem_is_what_yaml_says(text: str) -> None:
    """Compared with the whole of PyYAML, on texts that are nearly YAML."""
    found = parsed(f"---\n{text}\n---\n")
    if not found.problems and found.body == "" and text.count("&x") < 2:
        whole = yaml.load(text, Reference)  # noqa: S506  # it is a SafeLoader
        assert values(found) == (whole or {})


@given(st.binary() | st.binary().map(lambda data: b"---\n" + data + b"\n---\nbody"))
def test_any_bytes_are_a_document(data: bytes) -> None:
    """No crash, and every position lies within the file."""
    found = parse("skill.md", data)
    lines = found.text.split("\n")
    places = [problem.at for problem in found.problems]
    for field in found.fields.values():
        places += [field.key_at, field.value_at, field.value_end]
    for at in places:
        assert 1 <= at.line <= len(lines)
        assert 1 <= at.column <= len(lines[at.line - 1]) + 1
    assert body_of(data) == found.body
