"""GS206. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_MOST = 500


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("compatibility")
    if field is None or not isinstance(field.value, str | None):
        return
    length = len((field.value or "").strip())
    if not 1 <= length <= _MOST:
        yield skill.at_value(field, f"compatibility of {length} characters; it has 1 to {_MOST}")


RULE = Rule(
    id="GS206",
    name="bad-compatibility",
    severity="error",
    scope="standard",
    does="Finds `compatibility` that is empty or longer than 500 characters.",
    why="The standard allows 1 to 500 characters.",
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
compatibility: ""
---
Move stray files where they belong.
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
compatibility: Needs git and a network.
---
Move stray files where they belong.
""",
    check=_check,
)
