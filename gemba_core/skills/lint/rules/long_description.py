"""GS205. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_MOST = 1024


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("description")
    if field is not None and isinstance(field.value, str) and len(field.value.strip()) > _MOST:
        length = len(field.value.strip())
        what = f"a description of {length} characters; it has at most {_MOST}"
        yield skill.at_value(field, what)


RULE = Rule(
    id="GS205",
    name="long-description",
    severity="error",
    scope="standard",
    does="Finds descriptions of more than 1,024 characters.",
    why="Every skill's description is in the agent's context at all times; clients cut it.",
    example="""\
---
name: tidy
description: Tidies the workspace. Tidies the workspace. Tidies the workspace. (and so on)
---
Move stray files where they belong.
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
---
Move stray files where they belong.
""",
    check=_check,
)
