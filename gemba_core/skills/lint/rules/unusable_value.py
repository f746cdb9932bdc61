"""GS010."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject
from gemba_core.skills.skill import unusable


def _check(skill: Subject) -> Iterator[Fault]:
    fields = skill.document.fields
    for key, what in unusable({name: field.value for name, field in fields.items()}):
        yield skill.at_value(fields[key], what)


RULE = Rule(
    id="GS010",
    name="unusable-value",
    severity="error",
    scope="contract",
    does="Finds a `lifecycle` that there is not, and limits of tools that cannot be read.",
    why="`gemba skills list` has the skill as broken, and nobody gets it.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
lifecycle: retired
---
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
lifecycle: deprecated
---
Ask with `gemba-ask`.
""",
    check=_check,
)
