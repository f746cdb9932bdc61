"""The calls of Gemba's commands that a body holds, read as a shell reads them.

Lines that go on, quotes, pipes, wrappers such as `env`, and `sh -c` are understood.
A `<placeholder>`, `…` and what only the running shell knows stand for any value.
"""

import bisect
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from gemba_core.skills.lint.passages import Passage
from gemba_core.skills.lint.prohibition import forbids, last_clause, leads_in
from gemba_core.surface.programs import names
from gemba_core.surface.runs import runs

PROGRAMS = ("gemba-ask", "gemba-state")
# What the info of a block of code calls a shell; without one, it may be.
SHELL_LANGUAGES = names(
    """
    sh bash shell zsh dash ksh console shell-session shellsession terminal text txt plain
    plaintext
    """
) | {""}

_PARSER = Parser(Language(tree_sitter_bash.language()))
_MAX_DEPTH = 5
# Characters of a block. The parser is slow where it finds no sense in a long one.
_MAX_TEXT = 16_000
_CONTINUED = re.compile(r"\\\n")
_PLACEHOLDER = re.compile(r"(?<![<\w])<(?![<\s])[^<>\n()&;]*(?<!\s)>")
# The parser loses such a dash, which stands for standard input.
_DASH = re.compile(r"(?<=[ \t])-(?=[ \t]*<<)")
_PROMPT = re.compile(r"^[ \t]*[$%>] (?=\S)", re.MULTILINE)
_QUOTING = re.compile(r"[\"'\\]")
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_ANY = "\ue000"  # private use: stands for a character of a placeholder
_UNKNOWN = re.compile(rf"[{_ANY}…$`]|\.\.\.")
_WORDS = names(
    """
    command_name word string raw_string ansi_c_string translated_string concatenation
    simple_expansion expansion command_substitution process_substitution number
    brace_expression arithmetic_expansion extglob_pattern
    """
)
_LEADING = re.compile(r"(?::|\b(?:this|these|following|below)(?:\s+\w+)?\W*)[\s*_`]*$")
_SENTENCE_END = re.compile(r"[.!?]\s+")
_GAP = r"(?:[ \t]|\\?\n[ \t]*)+"
_VALUE = r"(?:\"[^\"]*\"|'[^']*'|<[^<>]*>|[^\s\"'`<>-][^\s\"'`<>]*)"
# A call in the midst of words: the program, and as far as options and their values go.
_BARE = re.compile(
    rf"(?<![\w/.-])(?:gemba-ask\b(?!-)(?:{_GAP}(?:--(?:wait|json)\b|--[a-z-]+(?:(?:=|{_GAP}){_VALUE})?))*"
    rf"|gemba-state\b(?!-)(?:{_GAP}(?:--[a-z-]+(?:=|{_GAP}))?{_VALUE})?)"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word without its quotes, and where it stands in the passage.

    `is_known` is false where it stands for some value.
    """

    text: str
    start: int
    end: int

    @property
    def is_known(self) -> bool:
        return _UNKNOWN.search(self.text) is None


@dataclass(frozen=True, slots=True)
class Command:
    """One call. `is_whole`: it stands as a command, not as a mention within a sentence."""

    program: str
    words: tuple[Word, ...]
    passage: Passage
    start: int
    end: int
    assigned: tuple[str, ...] = ()
    is_whole: bool = True
    is_forbidden: bool = False


def read_commands(passages: tuple[Passage, ...]) -> Iterator[Command]:
    """The calls in these passages, in their order. Never raises."""
    for passage in passages:
        if "gemba-" not in passage.text:
            continue
        if passage.kind != "code":
            yield from sorted(_of_prose(passage), key=lambda command: command.start)
        elif passage.language in SHELL_LANGUAGES:
            for command in _parsed(passage.text, passage):
                forbidden = is_led_to_forbidden(passage) or leads_in(_remark(passage, command))
                yield replace(command, is_forbidden=forbidden)


def is_led_to_forbidden(passage: Passage) -> bool:
    """Whether the nearest title, or the words that lead up to it, forbid what it holds."""
    if any(map(leads_in, passage.headings[-1:])):
        return True
    return any(leads_in(last_clause(lead)) for lead in leading(passage))


def leading(passage: Passage) -> Iterator[str]:
    """The sentences that lead up to a passage: "If so, call:", "Never do this."."""
    for lead in passage.leads:
        if _LEADING.search(lead):
            yield _SENTENCE_END.split(lead)[-1]


def _remark(passage: Passage, command: Command) -> str:
    """The shell comment in the line before the command."""
    line = passage.text[: command.start].rpartition("\n")[0].rpartition("\n")[2].strip()
    return last_clause(line.lstrip("# ")) if line.startswith("#") else ""


def _of_prose(passage: Passage) -> Iterator[Command]:
    led = is_led_to_forbidden(passage)
    for span in passage.code:
        if "gemba-" in span.text:
            forbidden = led or forbids(passage.words, span.start, span.end)
            source = _CONTINUED.sub("  ", span.text).replace("\n", " ")
            for command in _parsed(source, passage, span.start):
                yield replace(command, is_whole=False, is_forbidden=forbidden)
    for found in _BARE.finditer(passage.words):
        forbidden = led or forbids(passage.words, found.start(), found.end())
        for command in _parsed(found[0], passage, found.start()):
            yield replace(command, is_whole=_is_line(passage.text, found), is_forbidden=forbidden)


def _is_line(text: str, found: re.Match[str]) -> bool:
    """Whether a call with options fills its line or lines."""
    before = text[: found.start()].rpartition("\n")[2]
    after = text[found.end() :].partition("\n")[0]
    return before.strip() in ("", "$") and not after.strip() and "-" in found[0].partition(" ")[2]


@dataclass(frozen=True, slots=True)
class _Source:
    """Shell text, made ready for the parser, and the way back to the passage's offsets."""

    text: str
    cuts: tuple[int, ...]  # where, in `text`, a continued line was joined
    offset: int
    fixed: tuple[int, int] | None = None  # a script within a word has that word's place

    def place(self, start: int, end: int) -> tuple[int, int]:
        if self.fixed is not None:
            return self.fixed
        return self._back(start), self._back(end)

    def _back(self, at: int) -> int:
        return self.offset + at + 2 * bisect.bisect_left(self.cuts, at + 1)


def _source(text: str, offset: int, fixed: tuple[int, int] | None) -> _Source:
    # The parser does not always see that a line goes on.
    pieces = text.split("\\\n")
    cuts, at = [], 0
    for piece in pieces[:-1]:
        at += len(piece)
        cuts.append(at)
    joined = _PLACEHOLDER.sub(lambda found: _ANY * len(found[0]), "".join(pieces))
    prompted = _PROMPT.sub(lambda found: " " * len(found[0]), _DASH.sub(_ANY, joined))
    return _Source(prompted, tuple(cuts), offset, fixed)


def _parsed(
    text: str,
    passage: Passage,
    offset: int = 0,
    fixed: tuple[int, int] | None = None,
    depth: int = 0,
) -> Iterator[Command]:
    """The calls in a shell's text, which stands at that offset of the passage."""
    source = _source(text[:_MAX_TEXT], offset, fixed)
    data = source.text.encode("utf-8", "replace")
    variables: dict[str, str] = {}
    for node in _walked(_PARSER.parse(data).root_node):
        if node.type == "variable_assignment":
            name, _, value = _text(node).partition("=")
            variables[name] = _unquoted(value)
        elif node.type == "command":
            yield from _of_command(node, source, data, variables, passage, depth)


def _walked(root: Node) -> Iterator[Node]:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        yield node
        nodes += reversed(node.named_children)


def _of_command(
    node: Node,
    source: _Source,
    data: bytes,
    variables: dict[str, str],
    passage: Passage,
    depth: int,
) -> Iterator[Command]:
    def word(child: Node) -> Word:
        start, end = child.start_byte, child.end_byte
        if not data.isascii():
            start, end = (len(data[:at].decode("utf-8", "replace")) for at in (start, end))
        text = _unquoted(_text(child))
        named = _VARIABLE.fullmatch(text)
        text = variables.get(named[1], text) if named else text
        return Word(text, *source.place(start, end))

    children = [*node.named_children, *_late(node)]
    assigned = tuple(_text(child) for child in children if child.type == "variable_assignment")
    found = [word(child) for child in children if child.type in _WORDS]
    for run in runs([one.text for one in found]):
        first, last = found[run.start], found[-1]
        if run.name in PROGRAMS:
            rest = tuple(found[run.start + 1 :])
            yield Command(run.name, rest, passage, first.start, last.end, assigned)
        elif run.script is not None and depth < _MAX_DEPTH:
            yield from _parsed(run.script, passage, 0, (first.start, last.end), depth + 1)


def _late(node: Node) -> list[Node]:
    """The words behind `> file`: the command's, but the parser hangs them on the redirection."""
    around = node.parent
    if around is None or around.type != "redirected_statement":
        return []
    redirects = [child for child in around.named_children if child.type == "file_redirect"]
    return [word for one in redirects for word in one.children_by_field_name("destination")[1:]]


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _unquoted(source: str) -> str:
    """One word as the program gets it."""
    if _QUOTING.search(source) is None:
        return source
    try:
        parts = shlex.split(source)
    except ValueError:
        return source
    return " ".join(parts)
