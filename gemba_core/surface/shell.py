"""What a shell command touches, by the words that a shell would see.

Best effort: what only the running shell knows counts as far as its literal
beginning leads. The parser is imported here and nowhere else.
"""

import glob
import itertools
import os
import re
from collections.abc import Iterator

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from gemba_core import caller
from gemba_core.surface import find, words
from gemba_core.surface.nodes import bare, source_of, text_of
from gemba_core.surface.patch import touches_of_patch
from gemba_core.surface.place import Place
from gemba_core.surface.programs import Use, names, uses
from gemba_core.surface.runs import SHELLS, Run, runs, without_assignments
from gemba_core.surface.touch import Touch

_LANGUAGE = Language(tree_sitter_bash.language())
_MAX_DEPTH = 20
_MAX_MATCHES = 1000
_PATCH_PROGRAMS = frozenset({"apply_patch", "applypatch"})
_READS = frozenset({"<", "<&"})
_HEREDOC = "heredoc_body"
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


def touches_of_shell(command: str, folder: str) -> Iterator[Touch]:
    """All that the command is known to touch, run in that folder."""
    yield from _parsed(command, Place(folder))


def _parsed(command: str, place: Place) -> Iterator[Touch]:
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


def _walked(node: Node, place: Place) -> Iterator[Touch]:
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


def _of_redirected(node: Node, place: Place) -> Iterator[Touch]:
    body = node.child_by_field_name("body")
    # The words behind `> file` and `<<E` are the command's, but the parser hangs them on these.
    late = [word for one in node.children for word in _late(one)]
    for child in node.named_children:
        if body is not None and child.id == body.id and body.type == "command":
            yield from _of_command(body, place, late)
        else:
            yield from _walked(child, place)
    if late and (body is None or body.type != "command"):
        for word in late:
            yield from _touched(Use(text_of(word, place)), place)


def _of_redirect(node: Node, place: Place) -> Iterator[Touch]:
    """`< file` reads; every other one writes, unless it names a descriptor."""
    operator = next((source_of(one) for one in node.children if not one.is_named), "")
    for word in _destinations(node)[:1]:
        yield from _insides(word, place)
        text = text_of(word, place)
        if "&" in operator and (text.isdigit() or text in ("-", "")):
            continue
        yield from _touched(Use(text, is_write=operator not in _READS), place, always=True)


def _destinations(node: Node) -> list[Node]:
    return node.children_by_field_name("destination") if node.type == "file_redirect" else []


def _late(node: Node) -> list[Node]:
    if node.type == "heredoc_redirect":
        return node.children_by_field_name("argument")
    return _destinations(node)[1:]


def _of_loop(node: Node, place: Place) -> Iterator[Touch]:
    """Its variable stands for all its values at once."""
    variable = node.child_by_field_name("variable")
    texts: list[str] = []
    for value in node.children_by_field_name("value"):
        yield from _insides(value, place)
        texts.append(text_of(value, place))
        yield from _touched(Use(texts[-1]), place)
    if variable is not None:
        place.variables[source_of(variable)] = " ".join(texts) or words.UNKNOWN
    body = node.child_by_field_name("body")
    if body is not None:
        yield from _walked(body, place)


def _of_test(node: Node, place: Place) -> Iterator[Touch]:
    """`[ -f file ]` looks at a file."""
    for child in node.named_children:
        if child.type in _WORDS:
            yield from _insides(child, place)
            yield from _touched(Use(text_of(child, place)), place)
        else:
            yield from _walked(child, place)


def _assigned(node: Node, place: Place) -> Iterator[Touch]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if value is not None:
        yield from _insides(value, place)
    if name is not None:
        known = value is None or value.type in _WORDS
        text = text_of(value, place) if value is not None and known else words.UNKNOWN
        place.variables[source_of(name)] = text if value is not None else ""


def _of_command(node: Node, place: Place, late: list[Node]) -> Iterator[Touch]:
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
            text = text_of(child, place)
            if found and is_joined:
                # Behind quotes the parser ends a word at a backslash or `$`; the shell does not.
                is_variable = source_of(child.prev_sibling or child).endswith("$")
                glue = words.UNKNOWN if is_variable else bare(gap.decode())
                found[-1] += glue + text
            else:
                found.append(text)
        else:
            yield from _walked(child, place)
    if node.type == "command":
        yield from _run([one for text in found for one in words.split(text)], place, node)


def _run(found: list[str], place: Place, node: Node) -> Iterator[Touch]:
    """The programs that the words run."""
    for run in runs([words.plain(one) for one in found]):
        yield from _program_file(found[run.start], place)
        rest = found[run.start + 1 : run.end]
        if run.script is not None:
            yield from _of_script(run.script, place if run.name == "eval" else place.inner())
        elif run.name in ("cd", "pushd"):
            yield from _moved(rest, place)
        elif run.name == "popd":
            place.folder = None
        elif run.name in _PATCH_PROGRAMS:
            yield from _of_patch(rest, place, node)
        else:
            yield from _used(run, rest, place, node)


def _used(run: Run, rest: list[str], place: Place, node: Node) -> Iterator[Touch]:
    """A program of its own, with its words."""
    if run.name in SHELLS and _reads_its_input(rest):
        for script in _inputs(node, place):
            yield from _of_script(script, place.inner())
    if run.name == "find":
        search = find.search_of(rest)
        for command in search.commands:
            yield from _run(command, place.inner(), node)
        used = find.uses_of(search)
    else:
        used = uses(run.name, without_assignments(rest) if run.is_wrapper else rest)
    for use in used:
        yield from _touched(use, place)


def _of_script(script: str, place: Place) -> Iterator[Touch]:
    yield from _parsed(words.plain(script).replace(words.UNKNOWN, ""), place)


def _reads_its_input(rest: list[str]) -> bool:
    """Whether a shell is given no file to run."""
    return "-s" in rest or all(word.startswith("-") for word in rest)


def _inputs(node: Node, place: Place) -> Iterator[str]:
    """The texts that a command is given by `<<` and `<<<`."""
    around = node.parent
    if around is not None and around.type == "redirected_statement":
        yield from _inputs(around, place)
    for child in node.named_children:
        if child.type == "herestring_redirect":
            yield "".join(text_of(word, place) for word in child.named_children)
        elif child.type == "heredoc_redirect":
            yield from (source_of(one) for one in child.named_children if one.type == _HEREDOC)


def _of_patch(rest: list[str], place: Place, node: Node) -> Iterator[Touch]:
    around = node.parent if node.parent is not None else node
    for text in (*map(words.plain, rest), source_of(around)):
        yield from touches_of_patch(text, place.folder or "/")


def _moved(rest: list[str], place: Place) -> Iterator[Touch]:
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


def _program_file(word: str, place: Place) -> Iterator[Touch]:
    """A program that is called by its path is read, unless it lies where programs lie."""
    folder, slash, _ = words.plain(word).rpartition("/")
    if slash and folder not in caller.program_folders():
        yield from _touched(Use(word), place)


def _touched(use: Use, place: Place, *, always: bool = False) -> Iterator[Touch]:
    """The use of a word, as far as it can be known; a bare word only where such a file is."""
    folder = place.folder or "/"
    for word in words.split(use.word):
        for path in _paths(word, place):
            is_bare = "/" not in path and path not in (".", "..") and not path.startswith("~")
            is_sure = not is_bare or always or use.is_write or _is_there(folder, path)
            # What may be no file at all need not be a path.
            if is_sure or (use.is_doubtful and "\0" not in path):
                kind = (use.is_write, use.is_deep, use.is_doubtful, use.named)
                yield Touch(path, folder, *kind)


def _paths(word: str, place: Place) -> Iterator[str]:
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


def _insides(node: Node, place: Place) -> Iterator[Touch]:
    """The commands that run within a word."""
    for child in node.named_children:
        if child.type in _CONTEXTS:
            yield from _walked(child, place)
        else:
            yield from _insides(child, place)
    if node.type in _CONTEXTS:
        for child in node.named_children:
            yield from _walked(child, place.inner())
