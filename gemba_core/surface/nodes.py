"""A word of the parsed shell text, as the words that the shell would make of it, marked."""

import re

from tree_sitter import Node

from gemba_core.surface import words
from gemba_core.surface.place import Place

# `$x`, `${x}`, or `${x:-word}` and its like.
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+|[@*])(?:\}|(:?[-=+])))")
# The word stands in the place of a value that is there; it becomes the variable's value.
_IF_SET = ("+", ":+")
_SETS = ("=", ":=")
_ESCAPE = re.compile(
    r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)", re.DOTALL
)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


def source_of(node: Node) -> str:
    """The node as it was written."""
    return (node.text or b"").decode("utf-8", "replace")


def text_of(node: Node, place: Place) -> str:
    """A word with its quotes taken off, quoted characters marked, and the unknown as unknown."""
    source = source_of(node)
    match node.type:
        case "raw_string":
            return words.quoted(source[1:-1])
        case "string" | "translated_string":
            return _in_quotes(node, place)
        case "ansi_c_string":
            return words.quoted(_unescaped(source[2:-1]))
        case "concatenation" | "command_name":
            if not node.named_children:
                return bare(source)
            return "".join(text_of(child, place) for child in node.named_children)
        case "simple_expansion" | "expansion":
            return _expanded(node, place)
        case "command_substitution" if source.strip("$()` ") == "pwd" and place.folder:
            return words.quoted(place.folder)
        case "command_substitution" | "process_substitution" | "arithmetic_expansion":
            return words.UNKNOWN
        case "brace_expression":
            return words.UNKNOWN
        case _:
            return bare(source)


def bare(source: str) -> str:
    """The word in unquoted text: a backslash quotes the character behind it."""
    joined = source.replace("\\\n", "")
    return re.sub(r"\\(.)", lambda found: words.quoted(found[1]), joined, flags=re.DOTALL)


def _in_quotes(node: Node, place: Place) -> str:
    """What stands in double quotes; the parser counts spaces before a part as the part's own."""
    source, parts, at = node.text or b"", [], 1
    if node.type == "translated_string":
        return "".join(text_of(child, place) for child in node.named_children)
    for child in node.named_children:
        if child.type == "string_content":
            continue
        end = child.end_byte - node.start_byte
        start = end - len((child.text or b"").lstrip())
        parts += [_quoted_source(source[at:start]), _quoted_value(child, place)]
        at = end
    return "".join([*parts, _quoted_source(source[at:-1])])


def _quoted_source(source: bytes) -> str:
    text = source.decode("utf-8", "replace").replace("\\\n", "")
    return words.quoted(re.sub(r'\\([$`"\\])', r"\1", text))


def _quoted_value(node: Node, place: Place) -> str:
    # The spaces between a loop's values are kept: it stands for each of them.
    if node.type in ("simple_expansion", "expansion"):
        return _expanded(node, place, in_quotes=True)
    return text_of(node, place)


def _expanded(node: Node, place: Place, *, in_quotes: bool = False) -> str:
    """A variable's value, or the word that stands in its place: `${x:-word}`.

    An empty value counts as none, also where there is no colon.
    """
    found = _VARIABLE.match(source_of(node).lstrip())
    if found is None:
        return words.UNKNOWN
    name, operator = found[1] or found[2], found[3] or ""
    value = place.value(name)
    is_set = value not in ("", words.UNKNOWN)
    if operator == "" or (is_set and operator not in _IF_SET):
        return value if in_quotes else words.unquoted(value)
    # The first child is the variable's name.
    other = "".join(text_of(child, place) for child in node.named_children[1:])
    if operator in _SETS:
        # As a value it has lost its quotes.
        place.variables[name] = other = words.unquoted(other)
    return words.quoted(other) if in_quotes else other


def _unescaped(source: str) -> str:
    """The escapes of `$'…'`."""

    def one(found: re.Match[str]) -> str:
        text = found[1]
        if text[0] in "01234567":
            return chr(int(text, 8) & 0xFF)
        if len(text) > 1:
            code = int(text[1:], 16)
            return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else "?"
        return _NAMED.get(text, text)

    return _ESCAPE.sub(one, source)
