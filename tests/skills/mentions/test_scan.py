"""The scanner: which `$name` in a text is a mention, and which is code or something else."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gemba_core.skills.mentions.prose import prose_of
from gemba_core.skills.mentions.scan import scan, task

SPEC = Path(__file__).parent / "fixtures" / "skill_invocation.md"
EIGHTH = 1 << 14


def names(text: str) -> list[str]:
    """The names that are mentioned beyond doubt."""
    return [mention.bare for mention in scan(text) if not mention.doubtful]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$tdd", ["tdd"]),
        ("Please use $tdd here", ["tdd"]),
        ("first\n$tdd\nlast", ["tdd"]),
        ("$github:gh-fix-ci and $pm.stage_epics", ["github:gh-fix-ci", "pm.stage_epics"]),
        ("($tdd), then ($x)", ["tdd", "x"]),
        ("Use $tdd. And $x!?", ["tdd", "x"]),
        ("# $tdd\n> $x\n- $y\n1. $z", ["tdd", "x", "y", "z"]),
        ("a paragraph\n    $tdd goes on", ["tdd"]),
        ("don't $tdd, it's $x", ["tdd", "x"]),
        ('6" of $tdd', ["tdd"]),
        ("`code` $tdd `code`", ["tdd"]),
        ("an open ` tick and $tdd", ["tdd"]),
        ("``` not a fence: `$x` ``` $tdd", ["tdd"]),
        ("```\ncode\n```\n$tdd", ["tdd"]),
        ("- a\n  ```\n  code\n  ```\n  $tdd", ["tdd"]),
        ("- a\n  ```\n  code\n\n$tdd", ["tdd"]),
        ("> ```\n> code\n\n$tdd", ["tdd"]),
        ("    code\n$tdd", ["tdd"]),
        ("$tdd\r\n$x\r$y", ["tdd", "x", "y"]),
        ("$über-prüfung", ["über-prüfung"]),
    ],
)
def test_a_word_of_its_own_with_a_dollar_sign_is_a_mention(text: str, found: list[str]) -> None:
    """At the beginning of a word, wherever the prose stands."""
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "```\n$x\n```",
        "```sh\necho $x\n```",
        "~~~\n$x\n~~~",
        "```\n$x",
        "```\n~~~\n$x\n~~~\n$y\n```",
        "````\n```\n$x\n```\n$y\n````",
        "```\n$x\n`` `\n$y\n```",
        "```\n    ```\n$x\n```",
        "- a\n  ```\n  $x\n  ```",
        "1. a\n   - b\n\n     ~~~\n     $x\n     ~~~",
        "> ```\n> $x\n> ```",
        "> - a\n>   ```\n>   $x",
        "    $x",
        "\t$x",
        "- a\n\n      $x",
        "`$x`",
        "`` ` $x ``",
        "`over\ntwo lines $x`",
        "> `over\n> two $x`",
    ],
)
def test_code_holds_no_mention(text: str) -> None:
    """In fences, nested, unclosed and in lists, in indented code, and in code spans."""
    assert scan(text) == []


@pytest.mark.parametrize(
    "text",
    [
        r"\$x",
        r"a \$x b",
        "$5",
        "$5.00, $1,000.50 and $20k!",
        "($5)",
        "$1 $0 $9",
        "${x} $(x) $[x] $'x' $\"x\"",
        "$ $$ $? $! $# $@ $* $-",
        "a$x x=$x /$x -$x $x$ `a`$x",
        "https://example.org/$x and https://example.org/?a=($x)",
        "see <https://example.org/`> and <https://example.org/$x`>",
        "call($x) [$x]($x) {$x}",
        'sh -c "echo $x"',
        "sh -c 'echo $x'",
        'echo "a \\" $x"',
        'echo " $x "',
        '"a `b" $x `',
        '"a" `b "$x" c` "$x"',
        'export a="b $x c"',
        "$ echo $x",
        "- $ echo $x",
        '$x"quoted"',
    ],
)
def test_what_only_looks_like_a_mention_is_none(text: str) -> None:
    """Escapes, prices, parameters, URLs, calls, quotations and command lines."""
    assert names(text) == []


@pytest.mark.parametrize("name", ["PATH", "HOME_DIR", "_", "X1", "user->name", "x^2$", "3d-model"])
def test_a_name_that_is_something_else_is_doubtful(name: str) -> None:
    """Only a skill of exactly that name makes it a mention."""
    [mention] = scan(f"Is ${name}, a skill?")
    assert (mention.bare, mention.doubtful) == (name, True)


def test_a_mention_knows_its_place() -> None:
    """Counted in characters, the dollar sign included, up to the next blank."""
    text = "ü ($tdd). now\nlater"
    [mention] = scan(text)
    assert text[mention.start : mention.end] == "$tdd)."
    assert (mention.name, mention.bare) == ("tdd).", "tdd")
    assert task(text, mention) == "now"


def test_the_specification_itself_mentions_nothing() -> None:
    """Every dollar sign in it stands in code."""
    text = SPEC.read_text()
    assert text.count("$") > 40
    assert scan(text) == []


@given(st.text(alphabet=st.sampled_from("$ab`~>-1. \t\n\r\"'\\(<:/#*=")))
def test_any_text_is_scanned(text: str) -> None:
    """Each mention stands in the text as it says; nothing but the prose is kept, in its place."""
    for mention in scan(text):
        assert text[mention.start : mention.end] == f"${mention.name}"
    shown = prose_of(text).text
    assert len(shown) == len(text)
    assert all(new in (" ", "\n", old) for new, old in zip(shown, text, strict=True))


# Each dollar sign gets a name of its own, by which it is found again in what another parser says.
_INLINE = st.lists(
    st.sampled_from(["word", "$", "`", "``", "\\`", "(", "x`y", "it's", "~~~", '"a', 'b"', "' "]),
    max_size=6,
).map(" ".join)
_PLAIN = st.lists(_INLINE, min_size=1, max_size=3)
_FENCED = st.builds(
    lambda mark, length, more, lines, is_closed: [
        mark * length,
        *lines,
        *([mark * (length + more)] if is_closed else []),
    ],
    st.sampled_from("`~"),
    st.integers(3, 5),
    st.integers(0, 1),
    st.lists(st.sampled_from(["$", "```", "~~~~", "", "  $", "- $", "> $", "`````"]), max_size=5),
    st.booleans(),
)
_INDENTED = st.lists(st.just("    $"), min_size=1, max_size=2).map(lambda lines: ["", *lines, ""])


def _item(marker: str) -> st.SearchStrategy[list[str]]:
    """Blocks in a list item or a block quote."""
    rest = marker if marker == "> " else " " * len(marker)
    return _blocks.map(
        lambda lines: [
            (marker if number == 0 else rest) + line for number, line in enumerate(lines)
        ]
    )


_blocks: st.SearchStrategy[list[str]] = st.deferred(
    lambda: st.lists(
        st.one_of(_PLAIN, _FENCED, _INDENTED, st.just([""]), *map(_item, ("> ", "- ", "1. "))),
        min_size=1,
        max_size=4,
    ).map(lambda blocks: [line for block in blocks for line in block])
)
_PARTS = st.lists(
    st.sampled_from(
        [
            "`",
            "``",
            "```",
            "~~~",
            "\n",
            "\n\n",
            " ",
            "  ",
            "- ",
            "1. ",
            "> ",
            "# ",
            "---",
            "a",
            "$ ",
        ]
    ),
    max_size=25,
)
# Behind more blanks than that, the parser takes lines for fences that go on with a paragraph.
_RAW = _PARTS.map("".join).filter(lambda text: "    " not in text)


def _numbered(text: str) -> str:
    parts = text.split("$")
    return parts[0] + "".join(f"$a{number}z{part}" for number, part in enumerate(parts[1:]))


@given(st.one_of(_blocks.map("\n".join), _RAW).map(_numbered))
def test_a_mention_is_never_code_to_another_parser(text: str) -> None:
    """Whatever blocks there are, and however they are nested."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 1000}).disable("reference")
    code = "\n".join(_code(parser.parse(text)))
    assert not [mention for mention in scan(text) if mention.bare in code]


def _code(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("fence", "code_block", "code_inline"):
            yield token.content
        yield from _code(token.children or ())


@pytest.mark.parametrize(
    "text",
    [
        "\n" * EIGHTH + "$x",
        "$x " * EIGHTH,
        "- $x\n" * EIGHTH,
        "a\n" * EIGHTH + "$x",
        "> " * EIGHTH + "$x",
        "- " * EIGHTH + "$x" + "\n" * EIGHTH,
        "".join("`" * (length % 90 + 1) + " " for length in range(600)) + "$x",
        ' "x' * EIGHTH + "$x",
        "(" * EIGHTH + "$x",
        "$" + "x" * EIGHTH + "`",
        "<a:" * EIGHTH + "$x",
        "```\n$x\n" * EIGHTH,
    ],
    ids=range(12),
)
def test_the_time_rises_with_the_length_alone(text: str) -> None:
    """Eight times the text takes far less than the 64 times of a quadratic scan."""
    scan(text)
    few, many = _seconds(text), _seconds("\n\n".join([text] * 8) if "\n" in text else text * 8)
    assert many < 30 * max(few, 0.001)


def _seconds(text: str) -> float:
    start = time.process_time()
    scan(text)
    return time.process_time() - start
