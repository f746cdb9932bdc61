"""Which parts of a text are prose, and which are code, as a reader of markdown sees it.

Fences and indented code, in block quotes and lists too. HTML blocks and link
definitions are taken for prose. Source: CommonMark 0.31.2, "Container blocks"
and "Leaf blocks".
"""

import re
from dataclasses import dataclass, field

_CODE_INDENT = 4
_QUOTE = -1
# Deeper in, nothing is prose: so that the work per line is bounded.
_DEEPEST = 50

# Lines that begin so, outside of any list, quote and fence, are nothing but words.
_PLAIN = re.compile(r"(?:[^\s>`~#=*+\-\d][^\n]*(?:\n|\Z))+")
_BLANKS = re.compile(r"(?:[ \t]*\n)+")
_FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}(?=[ \t]|$)", re.MULTILINE)
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$", re.MULTILINE)
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prose:
    """The text with everything but its prose made spaces, position for position.

    `paragraphs` are the (start, end) within which a code span may lie.
    """

    text: str
    paragraphs: list[tuple[int, int]]


def prose_of(text: str) -> Prose:
    """The prose of any text whatever, in one pass."""
    reader = _Reader(text.replace("\r\n", " \n").replace("\r", "\n"))
    reader.read()
    return Prose("".join(reader.shown), reader.paragraphs)


@dataclass(slots=True)
class _Line:
    """Where the eye is in the line: columns count tabs; `base` is the column of the content."""

    text: str
    position: int = 0
    column: int = 0
    base: int = 0

    def __post_init__(self) -> None:
        self._skip_blanks()

    @property
    def indent(self) -> int:
        return self.column - self.base

    def is_blank(self) -> bool:
        return self.position == len(self.text)

    def passes(self, container: int) -> bool:
        """Step into the container, if the line goes on with it."""
        if container == _QUOTE:
            return self.enters_quote()
        if self.is_blank():
            return True
        if self.indent < container:
            return False
        self.base += container
        return True

    def enters_quote(self) -> bool:
        if self.indent >= _CODE_INDENT or not self.text.startswith(">", self.position):
            return False
        self._step(1)
        return True

    def enters_item(self, marker: str) -> int:
        """Step behind a list marker; the width that the item's other lines are indented by."""
        before = self.base
        begins = self.column + len(marker)
        self._step(len(marker))
        if self.is_blank() or self.column - begins > _CODE_INDENT:
            self.base = begins + 1
        else:
            self.base = self.column
        return self.base - before

    def _step(self, width: int) -> None:
        """Over a marker, and over the one blank that belongs to it."""
        self.position += width
        self.column += width
        self.base = self.column
        if self.text[self.position : self.position + 1] in (" ", "\t"):
            self.base += 1
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        while self.position < len(self.text):
            character = self.text[self.position]
            if character == " ":
                self.column += 1
            elif character == "\t":
                self.column += 4 - self.column % 4
            else:
                return
            self.position += 1


@dataclass(slots=True)
class _Reader:
    """Reads line by line; `containers` are the block quotes and list items that are open.

    A list item is the width of its indentation. `start` is where the open
    paragraph begins; `fence` is the marker of the open fence.
    """

    text: str
    shown: list[str] = field(default_factory=list)
    paragraphs: list[tuple[int, int]] = field(default_factory=list)
    containers: list[int] = field(default_factory=list)
    fence: str | None = None
    start: int | None = None
    offset: int = 0
    is_empty_item: bool = False

    def read(self) -> None:
        while self.offset < len(self.text):
            if not self.containers and self.fence is None and self._plain():
                continue
            end = self.text.find("\n", self.offset)
            end = len(self.text) if end < 0 else end
            line = _Line(self.text[self.offset : end])
            is_prose = self._line(line)
            kept = line.position if is_prose else len(line.text)
            self.shown.append(" " * kept + line.text[kept:] + self.text[end : end + 1])
            self.offset = end + 1
        self._close()

    def _plain(self) -> bool:
        """Read many lines at once that need no thought; whether there were any."""
        if words := _PLAIN.match(self.text, self.offset):
            self._open()
        elif words := _BLANKS.match(self.text, self.offset):
            self._close()
        if words is None:
            return False
        self.shown.append(words[0])
        self.offset = words.end()
        return True

    def _line(self, line: _Line) -> bool:
        """Read one line; whether what stands at its position is prose."""
        depth = self._depth(line)
        is_inside = depth == len(self.containers)
        if self.fence is not None:
            if is_inside:
                if self._ends_fence(line):
                    self.fence = None
                return False
            self.fence = None
        if line.is_blank():
            self._leave(depth)
            return False
        is_lazy = self.start is not None
        while depth < _DEEPEST and line.indent < _CODE_INDENT:
            marker = self._container(line, is_inside and self.start is not None)
            if marker is None:
                break
            self._leave(depth)
            self.containers.append(marker)
            depth, is_inside, is_lazy = len(self.containers), True, False
            self.is_empty_item = line.is_blank()
        if line.is_blank() or depth == _DEEPEST:
            return False
        return self._leaf(line, depth, is_inside=is_inside, is_lazy=is_lazy)

    def _depth(self, line: _Line) -> int:
        """How many of the open containers the line goes on with."""
        empty, self.is_empty_item = self.is_empty_item, False
        for depth, container in enumerate(self.containers):
            # An item that begins with a blank line has no second one.
            ends = empty and line.is_blank() and depth == len(self.containers) - 1
            if (ends and container != _QUOTE) or not line.passes(container):
                return depth
        return len(self.containers)

    def _container(self, line: _Line, interrupts: bool) -> int | None:
        """Step into the container that begins here, if one does."""
        if line.enters_quote():
            return _QUOTE
        item = _ITEM.match(line.text, line.position)
        if item is None or _RULE.match(line.text, line.position):
            return None
        if interrupts:
            is_underline = _UNDERLINE.match(line.text, line.position)
            has_text = line.text[item.end() :].strip(" \t")
            if is_underline or not has_text or int(item[1] or 1) != 1:
                return None
        return line.enters_item(item[0])

    def _leaf(self, line: _Line, depth: int, *, is_inside: bool, is_lazy: bool) -> bool:
        if line.indent >= _CODE_INDENT:
            if is_lazy:
                return True
            self._leave(depth)
            return False
        fence = _FENCE.match(line.text, line.position)
        if fence is not None:
            self._leave(depth)
            self.fence = fence[1] or fence[2]
            return False
        if _HEADING.match(line.text, line.position):
            self._leave(depth)
            self.paragraphs.append((self.offset, self.offset + len(line.text)))
            return True
        if _RULE.match(line.text, line.position) or (
            is_inside and is_lazy and _UNDERLINE.match(line.text, line.position)
        ):
            self._leave(depth)
            return False
        if not is_lazy:
            self._leave(depth)
            self._open()
        return True

    def _ends_fence(self, line: _Line) -> bool:
        rest = line.text[line.position :].rstrip(" \t")
        fence = self.fence or ""
        return (
            line.indent < _CODE_INDENT and len(rest) >= len(fence) and rest == fence[0] * len(rest)
        )

    def _leave(self, depth: int) -> None:
        """End the open paragraph, and the containers beyond that depth."""
        self._close()
        del self.containers[depth:]

    def _open(self) -> None:
        if self.start is None:
            self.start = self.offset

    def _close(self) -> None:
        if self.start is not None:
            self.paragraphs.append((self.start, min(self.offset, len(self.text))))
            self.start = None
