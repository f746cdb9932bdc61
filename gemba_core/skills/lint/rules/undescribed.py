"""GS104. Source: spec 000, "Front-matter shape for bundled skills"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    if not skill.is_standard and skill.is_missing("description"):
        yield skill.missing("description", "no description; say when the skill is of use")


RULE = Rule(
    id="GS104",
    name="undescribed",
    severity="error",
    scope="contract",
    does="Finds a one-file skill without `description`.",
    why="By the description people and agents choose the skill.",
    example="""\
---
skill_id: tidy
variety: coach
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
