"""The body of a skill as a reader sees it: prose, code and what leads up to it, with positions.

Blocks are parsed by markdown-it; the inside of a paragraph only where a rule looks into it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from gemba_core.skills.document import Document, Position

_MARKDOWN = MarkdownIt("commonmark").disable(["inline", "text_join"])
# Looking for tables costs a quarter more: only where one may be.
_WITH_TABLES = MarkdownIt("commonmark").disable(["inline", "text_join"]).enable("table")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_VISIBLE = re.compile(r"[^\n]")
_LISTS = ("bullet_list_open", "ordered_list_open")
_LISTS_END = ("bullet_list_close", "ordered_list_close")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a passage's text, from `start` to before `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Passage:
    """A paragraph, a heading, a table's cell, a block of code or of HTML, which is words too.

    `source` are the lines of the body, `first` the body's first line in the
    file, `line` the number of lines between that one and the passage.
    `language` is a code block's. `leads` are the words directly before the block and before the
    lists it is in, `headings` the titles above it, the outermost first. The comments in HTML
    are blanked out in `text`, each character at its place, and stand in `raw`.
    """

    kind: Literal["prose", "code", "html"]
    text: str
    source: list[str]
    first: int
    line: int
    language: str = ""
    leads: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    raw: str = ""

    @cached_property
    def starts(self) -> tuple[Position, ...]:
        """Where each of its lines begins: indentation and markers are not in the text."""
        starts = []
        for number, text in enumerate((self.raw or self.text).split("\n"), self.line):
            source = self.source[number] if number < len(self.source) else ""
            starts.append(Position(self.first + number, max(source.find(text), 0) + 1))
        return tuple(starts)

    def at(self, offset: int) -> Position:
        """Where that character of the text stands in the file."""
        line = self.text.count("\n", 0, offset)
        start = self.starts[min(line, len(self.starts) - 1)]
        return Position(start.line, start.column + offset - self.text.rfind("\n", 0, offset) - 1)

    @cached_property
    def _inside(self) -> list[Token]:
        found: list[Token] = []
        _MARKDOWN.inline.parse(self.text, _MARKDOWN, {}, found)
        return found

    @cached_property
    def code(self) -> tuple[Stretch, ...]:
        """The code within the words, without its backticks."""
        if self.kind == "code" or "`" not in self.text:
            return ()
        return tuple(self._spans())

    def _spans(self) -> Iterator[Stretch]:
        at = 0
        for token in self._inside:
            if token.type != "code_inline":
                continue
            mark = rf"(?<!`){token.markup}(?!`)"
            for found in re.finditer(rf"{mark}(.+?){mark}", self.text[at:], re.DOTALL):
                inner = found[1].replace("\n", " ")
                if token.content in (inner, inner[1:-1]):
                    yield Stretch(at + found.start(1), at + found.end(1), found[1])
                    at += found.end()
                    break

    @cached_property
    def words(self) -> str:
        """The text with its code blanked out, each character at its place."""
        text = self.text
        for span in self.code:
            text = text[: span.start] + "_" * len(span.text) + text[span.end :]
        return text

    @cached_property
    def links(self) -> tuple[Stretch, ...]:
        """Where links and pictures lead, at the place of their address."""
        if self.kind != "prose" or "](" not in self.text:
            return ()
        found, at = [], 0
        for token in _flat(self._inside):
            href = token.attrs.get("href" if token.type == "link_open" else "src")
            if isinstance(href, str) and token.type in ("link_open", "image"):
                start = max(self.text.find("](", at), 0) + 2
                at = start
                end = start + len(href)
                found.append(Stretch(start, end, href))
        return tuple(found)


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


@dataclass(frozen=True, slots=True)
class Body:
    """The passages in their order, and the lines [first, last] of each block at the outermost."""

    passages: tuple[Passage, ...]
    blocks: tuple[tuple[int, int], ...]


def read_body(document: Document) -> Body:
    """The body's passages. Never raises."""
    markdown = _WITH_TABLES if "|" in document.body else _MARKDOWN
    tokens = markdown.parse(document.body)
    first = document.body_line
    blocks = tuple(
        (first + token.map[0], first + token.map[1] - 1)
        for token in tokens
        if token.map is not None and token.level == 0
    )
    return Body(tuple(_passages(tokens, document.body.split("\n"), first)), blocks)


def _passages(tokens: list[Token], lines: list[str], first: int) -> Iterator[Passage]:
    titles: list[tuple[str, str]] = []  # (tag, text)
    lists: list[str] = []
    before = ""
    heading = ""
    for token in tokens:
        headings = tuple(text for _, text in titles)
        if token.type == "heading_open":
            heading = token.tag
            titles = [one for one in titles if one[0] < heading]
        elif token.type in _LISTS:
            lists.append(before)
        elif token.type in _LISTS_END:
            lists.pop()
            before = ""
        elif token.type == "inline" and token.map:
            if heading:
                titles.append((heading, token.content))
            leads = tuple(filter(None, lists))
            yield Passage("prose", token.content, lines, first, token.map[0], "", leads, headings)
            before = "" if heading else token.content
            heading = ""
        elif token.type in ("fence", "code_block") and token.map:
            at = token.map[0] + (token.type == "fence")
            language = (token.info.split() or [""])[0].strip("{}.").lower()
            leads = tuple(filter(None, (*lists, before)))
            yield Passage("code", token.content, lines, first, at, language, leads, headings)
            before = ""
        elif token.type == "html_block" and token.map:
            raw, leads = token.content, tuple(filter(None, (*lists, before)))
            text = _COMMENT.sub(lambda found: _VISIBLE.sub(" ", found[0]), raw)
            yield Passage("html", text, lines, first, token.map[0], "", leads, headings, raw)
            before = ""
