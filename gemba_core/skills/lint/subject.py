"""One skill under the linter: the file, its body and its calls, each read when first asked for."""

import os
from collections.abc import Iterator
from functools import cached_property

from gemba_core.frame.vocabulary import ROLES
from gemba_core.skills.document import Document, Field, Position, parse
from gemba_core.skills.lint.ask import Ask, read_ask
from gemba_core.skills.lint.commands import Command, read_commands
from gemba_core.skills.lint.finding import Fault, Fix
from gemba_core.skills.lint.passages import Body, Passage, read_body

STANDARD_NAME = "SKILL.md"
# With one of these the fields are not all there: nothing is said of missing ones.
_UNREADABLE = frozenset(
    {"yaml", "not-a-mapping", "unclosed", "too-large", "too-deep", "alias", "encoding"}
)


class Subject:
    """What rules look at. Where a fault is told without a place, it is the file's beginning."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.document: Document = parse(path, data)

    @property
    def is_standard(self) -> bool:
        """Whether it is the SKILL.md of a folder."""
        return os.path.basename(self.path) == STANDARD_NAME

    @cached_property
    def is_contract(self) -> bool:
        """Whether the authoring contract binds it: Gemba's own skills, and any with a variety."""
        return "variety" in self.document.fields or lies_with_gemba(self.path)

    @cached_property
    def is_readable(self) -> bool:
        """Whether the fields are all that the front matter has."""
        return not any(problem.code in _UNREADABLE for problem in self.document.problems)

    @cached_property
    def variety(self) -> str | None:
        """`coach` or `manager`; None where it is missing or wrong."""
        value = self.value("variety")
        return str(value) if value in ROLES else None

    def value(self, key: str) -> object:
        """The value of that key; None without it."""
        field = self.document.fields.get(key)
        return None if field is None else field.value

    def is_missing(self, key: str) -> bool:
        """Whether the key is surely not there, or has no value."""
        value = self.value(key)
        return self.is_readable and (
            value is None or (isinstance(value, str) and not value.strip())
        )

    @cached_property
    def body(self) -> Body:
        """The body in its passages."""
        return read_body(self.document)

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """The calls of gemba-ask and gemba-state, those that are forbidden too."""
        if "gemba-" not in self.document.body:
            return ()
        return tuple(read_commands(self.body.passages))

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """The calls of gemba-ask that the skill tells the agent to make."""
        return tuple(
            read_ask(command)
            for command in self.commands
            if command.program == "gemba-ask" and not command.is_forbidden
        )

    def problems(self, *codes: str) -> Iterator[Fault]:
        """The faults of form that reading the file found, of these codes."""
        for problem in self.document.problems:
            if problem.code in codes:
                yield Fault(problem.at, problem.at, problem.message)

    def at_top(self, message: str, fix: Fix | None = None) -> Fault:
        """A fault of the file as a whole."""
        return Fault(Position(1, 1), Position(1, 1), message, fix)

    def at_value(self, field: Field, message: str, fix: Fix | None = None) -> Fault:
        """A fault of a field's value."""
        return Fault(field.value_at, field.value_end, message, fix)

    def at_key(self, field: Field, message: str) -> Fault:
        """A fault of a field's key."""
        at = field.key_at
        return Fault(at, Position(at.line, at.column + len(field.key)), message)

    def missing(self, key: str, message: str) -> Fault:
        """A fault of a field that is missing, or has no value."""
        field = self.document.fields.get(key)
        return self.at_top(message) if field is None else self.at_key(field, message)

    def at_command(self, command: Command, message: str) -> Fault:
        """A fault of a whole call."""
        return self.within(command.passage, command.start, command.end, message)

    def within(self, passage: Passage, start: int, end: int, message: str) -> Fault:
        """A fault of what a passage's text holds from `start` to `end`."""
        return Fault(passage.at(start), passage.at(end), message)


def lies_with_gemba(path: str) -> bool:
    """Whether it lies among Gemba's skills: in `.gemba/skills`, or as one file in `skills`.

    A SKILL.md below a plain `skills` folder may be anybody's: there its variety
    decides. The skill folders of other clients (`.claude/skills`) are theirs.
    A file beside a SKILL.md belongs to that skill, and is none.
    """
    folder, name = os.path.split(os.path.abspath(path))
    folders = folder.split(os.sep)
    # The folder itself, or one group or skill below it.
    if "skills" not in folders[-2:]:
        return False
    if name != STANDARD_NAME and os.path.exists(os.path.join(folder, STANDARD_NAME)):
        return False
    around = folders[len(folders) - 2 - folders[::-1].index("skills")]
    if around == ".gemba":
        return True
    return name != STANDARD_NAME and not around.startswith(".")
