"""What a shell command touches, by the words that a shell would see.

Best effort: what only the running shell knows counts as far as its literal
beginning leads. The parser is imported here and nowhere else.
"""

import glob
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from gemba_core import caller
from gemba_core.surface import words
from gemba_core.surface.patch import touches_of_patch
from gemba_core.surface.programs import (
    SHELLS,
    WRAPPERS,
    Use,
    names,
    script_of,
    uses,
    wrapped,
)
from gemba_core.surface.touch import Touch

_LANGUAGE = Language(tree_sitter_bash.language())
_MAX_DEPTH = 20
_MAX_MATCHES = 1000
_PATCH_PROGRAMS = frozenset({"apply_patch", "applypatch"})
_READS = frozenset({"<", "<&"})
# A line that goes on, which the parser does not always see; quoted texts and escapes stay.
_CONTINUED = re.compile(r"'[^']*'|\\.", re.DOTALL)
# What may stand between two parts of one word: nothing, a quoted space, the end of a line.
_GLUE = re.compile(rb"(\\[ \t\n])*")
# What stands alone in a text that the parser does not understand, and looks like a path.
_LOOSE_PATH = re.compile(r"(?:^|[\s'\"`;|&<>()=])((?:/|~|\.\.?/)[^\s'\"`;|&<>()]*|\.\.(?=$|\s))")
_CONTEXTS = names(
    """
    subshell pipeline command_substitution process_substitution function_definition
    """
)
_WORDS = names(
    """
    word string raw_string ansi_c_string translated_string concatenation simple_expansion
    expansion command_substitution process_substitution number brace_expression
    arithmetic_expansion extglob_pattern
    """
)


@dataclass(slots=True)
class _Place:
    """Where a command runs: its folder (None: not to be known) and the variables set before it."""

    folder: str | None
    variables: dict[str, str] = field(default_factory=dict)
    depth: int = 0

    def inner(self) -> "_Place":
        return replace(self, variables=dict(self.variables))


def touches_of_shell(command: str, folder: str) -> Iterator[Touch]:
    """All that the command is known to touch, run in that folder."""
    yield from _parsed(command, _Place(folder))


def _parsed(command: str, place: _Place) -> Iterator[Touch]:
    if place.depth > _MAX_DEPTH:
        raise RecursionError("the command runs shells within shells, too many of them")
    place.depth += 1
    # A lone surrogate is no text; here it would be taken for a mark.
    joined = _CONTINUED.sub(lambda found: "" if found[0] == "\\\n" else found[0], command)
    root = Parser(_LANGUAGE).parse(joined.encode("utf-8", "replace")).root_node
    if root.has_error:
        for path in _LOOSE_PATH.findall(command):
            yield Touch(path, place.folder or "/", is_write=True)
    yield from _walked(root, place)
    place.depth -= 1


def _walked(node: Node, place: _Place) -> Iterator[Touch]:
    if node.type in _CONTEXTS:
        place = place.inner()
    if node.type in ("command", "declaration_command"):
        yield from _of_command(node, place, [])
    elif node.type == "redirected_statement":
        yield from _of_redirected(node, place)
    elif node.type == "file_redirect":
        yield from _of_redirect(node, place)
    elif node.type == "variable_assignment":
        yield from _assigned(node, place)
    elif node.type == "for_statement":
        yield from _of_loop(node, place)
    elif node.type == "unary_expression":
        yield from _of_test(node, place)
    else:
        for child in node.named_children:
            yield from _walked(child, place)


def _of_redirected(node: Node, place: _Place) -> Iterator[Touch]:
    body = node.child_by_field_name("body")
    # The words behind `> file` are the command's, but the parser hangs them on the redirection.
    late = [word for one in node.children for word in _destinations(one)[1:]]
    for child in node.named_children:
        if body is not None and child.id == body.id and body.type == "command":
            yield from _of_command(body, place, late)
        else:
            yield from _walked(child, place)
    if late and (body is None or body.type != "command"):
        for word in late:
            yield from _touched(Use(_text(word, place)), place)


def _of_redirect(node: Node, place: _Place) -> Iterator[Touch]:
    """`< file` reads; every other one writes, unless it names a descriptor."""
    operator = next((_source(one) for one in node.children if not one.is_named), "")
    for word in _destinations(node)[:1]:
        yield from _insides(word, place)
        text = _text(word, place)
        if "&" in operator and (text.isdigit() or text in ("-", "")):
            continue
        yield from _touched(Use(text, is_write=operator not in _READS), place, always=True)


def _destinations(node: Node) -> list[Node]:
    return node.children_by_field_name("destination") if node.type == "file_redirect" else []


def _of_loop(node: Node, place: _Place) -> Iterator[Touch]:
    """Its variable stands for all its values at once."""
    variable = node.child_by_field_name("variable")
    texts: list[str] = []
    for value in node.children_by_field_name("value"):
        yield from _insides(value, place)
        texts.append(_text(value, place))
        yield from _touched(Use(texts[-1]), place)
    if variable is not None:
        place.variables[_source(variable)] = " ".join(texts) or words.UNKNOWN
    body = node.child_by_field_name("body")
    if body is not None:
        yield from _walked(body, place)


def _of_test(node: Node, place: _Place) -> Iterator[Touch]:
    """`[ -f file ]` looks at a file."""
    for child in node.named_children:
        if child.type in _WORDS:
            yield from _insides(child, place)
            yield from _touched(Use(_text(child, place)), place)
        else:
            yield from _walked(child, place)


def _assigned(node: Node, place: _Place) -> Iterator[Touch]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if value is not None:
        yield from _insides(value, place)
    if name is not None:
        known = value is None or value.type in _WORDS
        text = _text(value, place) if value is not None and known else words.UNKNOWN
        place.variables[_source(name)] = text if value is not None else ""


def _of_command(node: Node, place: _Place, late: list[Node]) -> Iterator[Touch]:
    found: list[str] = []
    end = -1
    for child in [*node.named_children, *late]:
        gap = (node.text or b"")[end - node.start_byte : child.start_byte - node.start_byte]
        # What stands behind a redirection is beyond the node's own text.
        is_near = end >= 0 and len(gap) == child.start_byte - end
        is_joined = is_near and _GLUE.fullmatch(gap) is not None
        end = child.end_byte
        if child.type == "command_name":
            child = child.named_children[0] if child.named_children else child
        if child.type == "variable_assignment":
            yield from _assigned(child, place)
        elif child.type in _WORDS or child.type == "command_name":
            yield from _insides(child, place)
            text = _text(child, place)
            if found and is_joined:
                # Behind quotes the parser ends a word at a backslash or `$`; the shell does not.
                is_variable = _source(child.prev_sibling or child).endswith("$")
                glue = words.UNKNOWN if is_variable else _bare(gap.decode())
                found[-1] += glue + text
            else:
                found.append(text)
        else:
            yield from _walked(child, place)
    if node.type == "command":
        yield from _run([one for text in found for one in words.split(text)], place, node)


def _run(found: list[str], place: _Place, node: Node) -> Iterator[Touch]:
    """One program with its words."""
    while found and (name := os.path.basename(words.plain(found[0]))) in WRAPPERS:
        yield from _program_file(found[0], place)
        found = wrapped(name, found[1:])
    if not found:
        return
    yield from _program_file(found[0], place)
    name, rest = os.path.basename(words.plain(found[0])), found[1:]
    if name in ("cd", "pushd"):
        yield from _moved(rest, place)
    elif name == "popd":
        place.folder = None
    elif name == "eval":
        yield from _parsed(words.plain(" ".join(rest)).replace(words.UNKNOWN, ""), place)
    elif name in _PATCH_PROGRAMS:
        yield from _of_patch(rest, place, node)
    elif name in SHELLS and (script := script_of(rest)) is not None:
        yield from _parsed(words.plain(script).replace(words.UNKNOWN, ""), place.inner())
    else:
        for use in uses(name, rest):
            yield from _touched(use, place)


def _of_patch(rest: list[str], place: _Place, node: Node) -> Iterator[Touch]:
    around = node.parent if node.parent is not None else node
    for text in (*map(words.plain, rest), _source(around)):
        yield from touches_of_patch(text, place.folder or "/")


def _moved(rest: list[str], place: _Place) -> Iterator[Touch]:
    """cd: what follows is seen from there."""
    target = next((word for word in rest if not re.fullmatch(r"-[LPe@]+|--", word)), "~")
    yield from _touched(Use(target), place, always=True)
    known = words.is_known(target) and not words.is_pattern(target) and target != "-"
    path = os.path.expanduser(words.plain(target))
    if not known or (place.folder is None and not os.path.isabs(path)):
        place.folder = None
    else:
        place.folder = os.path.normpath(os.path.join(place.folder or "/", path))
        place.variables["PWD"] = words.quoted(place.folder)


def _program_file(word: str, place: _Place) -> Iterator[Touch]:
    """A program that is called by its path is read, unless it lies where programs lie."""
    folder, slash, _ = words.plain(word).rpartition("/")
    if slash and folder not in caller.program_folders():
        yield from _touched(Use(word), place)


def _touched(use: Use, place: _Place, *, always: bool = False) -> Iterator[Touch]:
    """The use of a word, as far as it can be known; a bare word only where such a file is."""
    for word in words.split(use.word):
        for path in _paths(word, place):
            is_bare = "/" not in path and path not in (".", "..") and not path.startswith("~")
            if not is_bare or always or use.is_write or _is_there(place.folder or "/", path):
                yield Touch(path, place.folder or "/", use.is_write, use.is_deep)


def _paths(word: str, place: _Place) -> Iterator[str]:
    """Where the word leads: as far as it is literal, and what its pattern matches."""
    start = words.literal_folder(word)
    path = words.plain(start or "")
    if path.startswith("~") and start != path:
        path = f"./{path}"
    if path and (place.folder is not None or path.startswith(("/", "~"))):
        yield path
    if words.is_pattern(word) and words.is_known(word) and (place.folder or word.startswith("/")):
        yield from _matches(word, place.folder or "/")


def _is_there(folder: str, path: str) -> bool:
    return os.path.lexists(os.path.join(folder, path))


def _matches(word: str, folder: str) -> Iterator[str]:
    """The files that the shell would put in a pattern's place."""
    marked = re.sub("[\udc00-\udcff]", lambda mark: glob.escape(words.plain(mark[0])), word)
    pattern = os.path.join(glob.escape(folder), os.path.expanduser(marked))
    yield from itertools.islice(glob.iglob(pattern), _MAX_MATCHES)


def _insides(node: Node, place: _Place) -> Iterator[Touch]:
    """The commands that run within a word."""
    for child in node.named_children:
        if child.type in _CONTEXTS:
            yield from _walked(child, place)
        else:
            yield from _insides(child, place)
    if node.type in _CONTEXTS:
        for child in node.named_children:
            yield from _walked(child, place.inner())


def _text(node: Node, place: _Place) -> str:
    """A word with its quotes taken off, quoted characters marked, and the unknown as unknown."""
    source = _source(node)
    match node.type:
        case "raw_string":
            return words.quoted(source[1:-1])
        case "string" | "translated_string":
            return _in_quotes(node, place)
        case "ansi_c_string":
            return words.quoted(_unescaped(source[2:-1]))
        case "concatenation" | "command_name":
            if not node.named_children:
                return _bare(source)
            return "".join(_text(child, place) for child in node.named_children)
        case "simple_expansion" | "expansion":
            return words.unquoted(_value(source, place))
        case "command_substitution" if source.strip("$()` ") == "pwd" and place.folder:
            return words.quoted(place.folder)
        case "command_substitution" | "process_substitution" | "arithmetic_expansion":
            return words.UNKNOWN
        case "brace_expression":
            return words.UNKNOWN
        case _:
            return _bare(source)


def _bare(source: str) -> str:
    """Unquoted text: a backslash quotes the character behind it."""
    joined = source.replace("\\\n", "")
    return re.sub(r"\\(.)", lambda found: words.quoted(found[1]), joined, flags=re.DOTALL)


def _in_quotes(node: Node, place: _Place) -> str:
    """What stands in double quotes; the parser counts spaces before a part as the part's own."""
    source, parts, at = node.text or b"", [], 1
    if node.type == "translated_string":
        return "".join(_text(child, place) for child in node.named_children)
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


def _quoted_value(node: Node, place: _Place) -> str:
    # The spaces between a loop's values are kept: it stands for each of them.
    if node.type in ("simple_expansion", "expansion"):
        return _value(_source(node).lstrip(), place)
    return _text(node, place)


def _value(source: str, place: _Place) -> str:
    """A variable: set in this command before, else the environment's."""
    found = re.fullmatch(r"\$(\w+)|\$\{(\w+)\}", source)
    if found is None:
        return words.UNKNOWN
    name = found[1] or found[2]
    if name in place.variables:
        return place.variables[name]
    if name == "PWD":
        return words.quoted(place.folder) if place.folder else words.UNKNOWN
    value = caller.environment().get(name)
    return words.UNKNOWN if value is None else words.quoted(value)


_ESCAPE = re.compile(
    r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)", re.DOTALL
)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


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


def _source(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
