"""A text to the skills that it mentions. Pure, and linear in the text's length.

Source: spec 004, "Resolution rules" and "Non-goals".
"""

import re
from dataclasses import dataclass

from gemba_core.skills.mentions.prose import prose_of

# Looked up again without these: the end of a sentence, and of a remark in parentheses.
_TRAILING = ".,;:!?)"

# In this order, from left to right. A mention is a word of its own, up to the next blank: what
# stands in a URL, an assignment or a call is none. A word that is interrupted by a quotation mark
# or by code is none either; it is possessive, so that no shorter one is taken for it.
_PIECE = re.compile(
    r"""
    (?P<escape> \\[\\`"'] )
    | (?P<ticks> `+ )
    | (?P<link> <[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\s<>]*> )
    | (?P<quote> (?<![^\s(=])["'] )
    | (?P<prompt> ^[ \t]*\$(?=[ \t]) )
    | (?<!\S)\(*+(?P<mention> \$\w[^\s`"']*+ )(?![`"'])
    """,
    re.VERBOSE | re.MULTILINE,
)
_TICKS = re.compile("`+")
_CLOSING = {mark: re.compile(rf"(?<!\\){mark}(?![\w$])") for mark in ('"', "'")}
_PRICE = re.compile(r"\d[\d.,]*[A-Za-z%]{0,3}")
_USUAL = re.compile(r"(?=[^\W\d])(?=.*[^A-Z\d_])[\w.:-]+")


@dataclass(frozen=True, slots=True)
class Mention:
    """`$name` at text[start:end], the dollar sign included, up to the next blank.

    A `doubtful` one looks like something else, `$PATH` or `$user->name`: it is
    a mention only if there is a skill of exactly that name.
    """

    name: str
    start: int
    end: int
    doubtful: bool = False

    @property
    def bare(self) -> str:
        """The name without what ends a sentence."""
        return self.name.rstrip(_TRAILING)


def scan(text: str) -> list[Mention]:
    """The mentions in the text, in their order: none in code, quotations, URLs and prices."""
    if "$" not in text:
        return []
    prose = prose_of(text)
    found: list[Mention] = []
    for start, end in prose.paragraphs:
        if prose.text.find("$", start, end) >= 0:
            found += _Paragraph(prose.text, start, end).mentions()
    return found


def task(text: str, mention: Mention) -> str:
    """What is asked for beside the mention: the rest of its line."""
    return text[mention.end :].partition("\n")[0].strip()


class _Paragraph:
    """One paragraph, read from left to right; nothing in it is looked at twice."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._runs: dict[int, list[int]] | None = None
        self._unclosed: set[str] = set()

    def mentions(self) -> list[Mention]:
        found: list[Mention] = []
        # Up to `quoted` stands a command or a quotation; a code span may begin in it.
        position = quoted = self._start
        while piece := _PIECE.search(self._text, position, self._end):
            position = piece.end()
            kind = piece.lastgroup
            if kind == "ticks":
                position = self._after_code(piece.start(), position)
            elif position <= quoted:
                continue
            elif kind == "quote":
                quoted = self._after_quotation(piece[0], position)
            elif kind == "prompt":
                newline = self._text.find("\n", position, self._end)
                quoted = self._end if newline < 0 else newline
            elif kind == "mention":
                mention = _mention(piece["mention"], piece.start("mention"))
                if mention is not None:
                    found.append(mention)
        return found

    def _after_code(self, start: int, end: int) -> int:
        """Where the code span ends that begins with these ticks; their own end if none does."""
        if self._runs is None:
            self._runs = {}
            for run in _TICKS.finditer(self._text, start, self._end):
                self._runs.setdefault(len(run[0]), []).append(run.start())
            for starts in self._runs.values():
                starts.reverse()
        starts = self._runs.get(end - start, [])
        while starts and starts[-1] < end:
            starts.pop()
        return starts.pop() + end - start if starts else end

    def _after_quotation(self, mark: str, position: int) -> int:
        """Where the quotation ends; where none does, the mark is an apostrophe."""
        if mark in self._unclosed:
            return position
        closing = _CLOSING[mark].search(self._text, position, self._end)
        if closing is None:
            self._unclosed.add(mark)
            return position
        return closing.end()


def _mention(word: str, start: int) -> Mention | None:
    mention = Mention(word[1:], start, start + len(word))
    if _PRICE.fullmatch(mention.bare):
        return None
    doubtful = _USUAL.fullmatch(mention.bare) is None
    return Mention(mention.name, mention.start, mention.end, doubtful)
