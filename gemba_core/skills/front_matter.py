"""YAML front matter, read from parser events: nothing is constructed, every value has its place."""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

import yaml
from yaml.constructor import SafeConstructor
from yaml.reader import Reader
from yaml.resolver import Resolver

from gemba_core.skills.document import Field, Position, Problem, position

# Characters. More is no front matter, and YAML is slow.
MAX_TEXT = 1 << 16
MAX_DEPTH = 20

# The C parser where PyYAML was built with it.
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# The two parsers have marks of two classes.
_Mark: TypeAlias = Any
# By the parser's words, of both parsers, for a slip that many make.
_HINTS = {
    "mapping values are not allowed in this context": "; put a text with a colon in it in quotes",
    "mapping values are not allowed here": "; put a text with a colon in it in quotes",
}
_CORE = "tag:yaml.org,2002:"
_TRUE = ("yes", "true", "on")
_RESOLVER = Resolver()
_CONSTRUCTOR = SafeConstructor()


def read_fields(text: str, start: int, end: int) -> tuple[dict[str, Field], list[Problem]]:
    """The top-level fields of the YAML in `text[start:end]`, and what is wrong with it.

    Never raises. Of a duplicate key the first counts. Tags are refused, and
    so are aliases of lists and mappings: no value can grow beyond its text.
    """
    reader = _Reader(text, start)
    if end - start > MAX_TEXT:
        reader.report(start, "too-large", f"front matter of more than {MAX_TEXT} characters")
        return {}, reader.problems
    try:
        reader.document(yaml.parse(text[start:end], Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(filter(None, (error.context, error.problem)))
        hint = _HINTS.get(error.problem or "", "")
        reader.report(start + (mark.index if mark else 0), "yaml", f"not valid YAML: {what}{hint}")
    except yaml.reader.ReaderError:
        # It tells bytes or characters, by parser: look for the culprit.
        found = Reader.NON_PRINTABLE.search(text, start, end)
        where = found.start() if found else start
        reader.report(where, "yaml", "not valid YAML: a control character; take it out")
    except _Stop:
        pass
    return reader.fields, reader.problems


class _Stop(Exception):
    """A fault is told already, and what comes after it has no place."""


@dataclass(slots=True)
class _Reader:
    """One pass over the events of a document."""

    text: str
    start: int
    fields: dict[str, Field] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _anchors: dict[str | None, object] = field(default_factory=dict)

    def report(self, offset: int, code: str, message: str) -> None:
        self.problems.append(Problem(position(self.text, offset), code, message))

    def document(self, events: Iterator[yaml.Event]) -> None:
        for event in events:
            if isinstance(event, yaml.MappingStartEvent):
                self._top(event, events)
            elif isinstance(event, yaml.NodeEvent):
                self._fail(event, "not-a-mapping", "not `key: value` lines; give each value a key")
            elif isinstance(event, yaml.DocumentEndEvent) and event.explicit:
                self._fail(event, "yaml", "not valid YAML: it ends here; take the line out")

    def _top(self, opening: yaml.MappingStartEvent, events: Iterator[yaml.Event]) -> None:
        self._remark(opening)
        for key, event in self._keys(events, self.fields):
            value, end = self._value(event, events, 1)
            key_at, value_at = self._at(key.start_mark), self._at(event.start_mark)
            found = Field(key.value, value, key_at, value_at, self._at(end))
            self.fields.setdefault(key.value, found)

    def _keys(
        self, events: Iterator[yaml.Event], seen: Container[str]
    ) -> Iterator[tuple[yaml.ScalarEvent, yaml.Event]]:
        """Each key with the first event of its value, to the mapping's end."""
        for key in events:
            if isinstance(key, yaml.MappingEndEvent):
                return
            if not isinstance(key, yaml.ScalarEvent):
                self._fail(key, "yaml", "a key is a word, not a list, a mapping or an alias")
            if key.value in seen:
                what = f"{key.value} once more; keep one of them"
                self.report(self._offset(key.start_mark), "duplicate-key", what)
            yield key, next(events)

    def _value(
        self, event: yaml.Event, events: Iterator[yaml.Event], depth: int
    ) -> tuple[object, _Mark]:
        """The value that begins with this event, and where it ends."""
        if depth > MAX_DEPTH:
            self._fail(event, "too-deep", f"more than {MAX_DEPTH} levels; make it flatter")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event), event.end_mark
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event), event.end_mark
        assert isinstance(event, yaml.CollectionStartEvent)
        self._remark(event)
        end: _Mark = event.end_mark
        if isinstance(event, yaml.MappingStartEvent):
            mapping: dict[str, object] = {}
            for key, first in self._keys(events, mapping):
                value, end = self._value(first, events, depth + 1)
                mapping.setdefault(key.value, value)
            return mapping, end
        items: list[object] = []
        for item in events:
            if isinstance(item, yaml.SequenceEndEvent):
                break
            value, end = self._value(item, events, depth + 1)
            items.append(value)
        return items, end

    def _scalar(self, event: yaml.ScalarEvent) -> object:
        self._remark(event)
        value = event.value if event.tag else _resolved(event)
        if event.anchor:
            self._anchors[event.anchor] = value
        return value

    def _remark(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        """Report the node's tag; `!!str` before a scalar only says what is meant."""
        is_text = isinstance(event, yaml.ScalarEvent) and event.tag in ("!", _CORE + "str")
        if event.tag and not is_text:
            what = f"a tag ({event.tag}); tags are never followed: take it out"
            self.report(self._offset(event.start_mark), "tag", what)

    def _alias(self, event: yaml.AliasEvent) -> object:
        if event.anchor not in self._anchors:
            what = "an alias of a text above is all that is taken; write the value out"
            self.report(self._offset(event.start_mark), "alias", what)
        return self._anchors.get(event.anchor)

    def _fail(self, event: yaml.Event, code: str, message: str) -> NoReturn:
        self.report(self._offset(event.start_mark), code, message)
        raise _Stop

    def _at(self, mark: _Mark) -> Position:
        return position(self.text, self._offset(mark))

    def _offset(self, mark: _Mark) -> int:
        offset: int = self.start + mark.index
        return offset


def _resolved(event: yaml.ScalarEvent) -> object:
    """The value of a scalar without a tag, as YAML 1.1 reads it; a date stays text."""
    tag = _RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]  # the stubs leave it untyped
    if tag == _CORE + "bool":
        return event.value.lower() in _TRUE
    if tag == _CORE + "null":
        return None
    if tag not in (_CORE + "int", _CORE + "float"):
        return event.value
    node = yaml.ScalarNode(tag, event.value)
    is_int = tag == _CORE + "int"
    number = _CONSTRUCTOR.construct_yaml_int if is_int else _CONSTRUCTOR.construct_yaml_float
    try:
        value: object = number(node)
    except ValueError:
        return event.value  # such as 0x_, or thousands of digits
    return value
