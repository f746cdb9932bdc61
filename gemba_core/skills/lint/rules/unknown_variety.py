"""GS102. Source: spec 000, "Front-matter shape for bundled skills": coach or manager."""

from collections.abc import Iterator

from gemba_core.frame.vocabulary import ROLES
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("variety")
    if field and isinstance(field.value, str) and field.value.strip() and skill.variety is None:
        yield skill.at_value(field, f"variety {field.value!r}; it is {' or '.join(ROLES)}")


RULE = Rule(
    id="GS102",
    name="unknown-variety",
    severity="error",
    scope="contract",
    does="Finds a variety other than `coach` and `manager`.",
    why="Nobody knows what such a skill may raise, so nothing about its calls can be checked.",
    example="""\
---
skill_id: tidy
variety: Coach
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
