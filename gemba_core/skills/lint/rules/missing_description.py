"""GS204. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.is_missing("description"):
        yield skill.missing("description", "no description; say what it does and when to use it")


RULE = Rule(
    id="GS204",
    name="missing-description",
    severity="error",
    scope="standard",
    does="Finds a `SKILL.md` without `description`, or with an empty one.",
    why="By it the agent decides whether to read the skill at all.",
    example="""\
---
name: tidy
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
