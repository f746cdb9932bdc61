"""GS201. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.is_missing("name"):
        yield skill.missing("name", "no name; add `name:` with the folder's name")


RULE = Rule(
    id="GS201",
    name="missing-name",
    severity="error",
    scope="standard",
    does="Finds a `SKILL.md` without `name`.",
    why="The standard requires it: without it clients do not load the skill.",
    example="""\
---
description: Tidies the workspace. Use it when files lie about.
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
