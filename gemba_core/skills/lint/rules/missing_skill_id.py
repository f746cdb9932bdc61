"""GS103. Source: spec 000, "Front-matter shape for bundled skills"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    # In a SKILL.md the standard's `name` names the skill.
    if not skill.is_standard and skill.is_missing("skill_id"):
        yield skill.missing("skill_id", "no skill_id; add the name by which the skill is called")


RULE = Rule(
    id="GS103",
    name="missing-skill-id",
    severity="error",
    scope="contract",
    does="Finds a one-file skill without `skill_id`.",
    why="It is the name by which people call the skill, and by which logs tell it.",
    example="""\
---
variety: coach
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
