"""GS101. Source: spec 000, "Role authority" and "Front-matter shape for bundled skills"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.is_missing("variety"):
        yield skill.missing("variety", "no variety; add `variety: coach` or `variety: manager`")


RULE = Rule(
    id="GS101",
    name="missing-variety",
    severity="error",
    scope="contract",
    does="Finds a skill that does not say whether it is a coach's or a manager's.",
    why="The variety says what the skill may raise: a coach asks, a manager may also block.",
    example="""\
---
skill_id: tidy
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    check=_check,
)
