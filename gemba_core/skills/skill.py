"""One skill: what its file says of itself, and where it was found."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gemba_core.skills.document import Document

LIFECYCLES = ("active", "deferred", "hidden", "deprecated", "removed")
# In lists and in suggestions; the others are found by their names alone.
LISTED = ("active", "deferred", "deprecated")

_HEADING = re.compile(r"^#[ \t]+(.*)$", re.MULTILINE)
_NO_WORD = re.compile(r"[\W_]+")

# What a file says: the first eight fields of a Skill, in their order.
Said: TypeAlias = tuple[
    str,
    str | None,
    str,
    str,
    str | None,
    tuple[str, ...],
    tuple[str, ...] | None,
    str | None,
]


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill, or with a `problem` a file that would be one: its other fields are a guess then."""

    name: str
    variety: str | None  # coach, manager, or whatever is written there
    description: str
    lifecycle: str  # of LIFECYCLES
    replaced_by: str | None
    aliases: tuple[str, ...]
    tools: tuple[str, ...] | None  # what it narrows the session to; None: it does not
    problem: str | None
    path: str
    form: str  # "gemba": one file; "standard": a folder's SKILL.md
    where: str  # the folder of skills that it was found in
    source: str  # that folder's own name: gemba, claude, …; bundled
    namespace: str | None = None  # the plugin, or the folder within that folder

    @property
    def id(self) -> str:
        """`name`, or `namespace:name`."""
        return f"{self.namespace}:{self.name}" if self.namespace else self.name

    @property
    def handle(self) -> str:
        """What people write behind a `$`: the id, or its alias where that is no single word."""
        is_word = not any(character.isspace() for character in self.id)
        return self.id if is_word or not self.aliases else self.aliases[0]

    @property
    def is_listed(self) -> bool:
        """Whether it belongs into lists, and into suggestions."""
        return self.lifecycle in LISTED


def said(document: Document, form: str) -> Said:
    """What the document says. Without a name it has a problem, and its file's name.

    The name is `skill_id`, else `name`, else the first `# Heading`, else for
    a folder its own name. A name that cannot be typed in one word gets an
    alias that can. Of several faults the first is the problem. Source: spec
    000, "Front-matter shape for bundled skills"; 004, "Resolution rules".
    """
    values = {key: field.value for key, field in document.fields.items()}
    faults = [f"line {fault.at.line}: {fault.message}" for fault in document.problems]
    name = _text(values, "skill_id") or _text(values, "name") or _heading(document)
    if name is None:
        name = _file_name(document.path, form)
        if form == "gemba":
            faults.append("no name; give it a skill_id in front matter")
    faults += [what for _, what in unusable(values)]
    lifecycle = values.get("lifecycle")
    aliases = _words(values.get("aliases")) or ()
    if any(character.isspace() for character in name):
        aliases = (_NO_WORD.sub("-", name.lower()).strip("-"), *aliases)
    return (
        name,
        _text(values, "variety"),
        _text(values, "description") or "",
        str(lifecycle) if lifecycle in LIFECYCLES else "active",
        _text(values, "replaced_by"),
        tuple(dict.fromkeys(filter(None, aliases))),
        _narrowed(values),
        faults[0] if faults else None,
    )


def unreadable(path: str, form: str, reason: str) -> Said:
    """What is known of a file that cannot be read."""
    return _file_name(path, form), None, "", "active", None, (), None, reason


def unusable(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The keys whose values make a skill a broken one, each with what is wrong.

    A limit that cannot be read is such: else it would silently be none.
    """
    lifecycle = values.get("lifecycle", "active")
    if lifecycle not in LIFECYCLES:
        yield "lifecycle", f"lifecycle {lifecycle!r} is none of {', '.join(LIFECYCLES)}"
    if not isinstance(values.get("narrow-tools", False), bool):
        yield "narrow-tools", "narrow-tools is neither true nor false"
    elif (key := _limit(values)) and _words(values.get(key)) is None:
        where = key if key in values else "narrow-tools"
        yield where, f"{key} is no list of tools; write Read, Grep"


def _narrowed(values: Mapping[str, object]) -> tuple[str, ...] | None:
    """The tools that the skill narrows the session to; None if it does not."""
    key = _limit(values)
    return _words(values.get(key)) if key else None


def _limit(values: Mapping[str, object]) -> str | None:
    """`tools`, or `allowed-tools` where `narrow-tools` says that they are meant as a limit."""
    is_meant = values.get("narrow-tools")
    if is_meant is False:
        return None
    if "tools" in values:
        return "tools"
    return "allowed-tools" if is_meant is True else None


def _words(value: object) -> tuple[str, ...] | None:
    """A list of strings, or one string with spaces or commas; None for anything else."""
    if isinstance(value, str):
        return tuple(_split(value))
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    return None


def _split(text: str) -> Iterator[str]:
    """Words between spaces and commas, those within parentheses kept: `Bash(git add *)`."""
    start, depth = 0, 0
    for at, character in enumerate(f"{text} "):
        depth += (character == "(") - (character == ")")
        if depth <= 0 and (character == "," or character.isspace()):
            if at > start:
                yield text[start:at]
            start = at + 1
    if start < len(text):
        yield text[start:]  # a parenthesis that is not closed


def _text(values: dict[str, object], key: str) -> str | None:
    value = values.get(key)
    return value.strip() or None if isinstance(value, str) else None


def _heading(document: Document) -> str | None:
    if document.has_front_matter:
        return None
    found = _HEADING.search(document.body)
    return found[1].rstrip(" \t#") or None if found else None


def _file_name(path: str, form: str) -> str:
    if form == "standard":
        return os.path.basename(os.path.dirname(path))
    return os.path.splitext(os.path.basename(path))[0]
