"""GS207. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("metadata")
    if field is None or field.value is None:
        return
    if not isinstance(field.value, dict):
        yield skill.at_value(field, "metadata is a mapping of texts to texts")
        return
    for key, value in field.value.items():
        if not isinstance(value, str):
            yield skill.at_value(field, f"metadata: {key} is no text; put its value in quotes")


RULE = Rule(
    id="GS207",
    name="bad-metadata",
    severity="error",
    scope="standard",
    does="Finds `metadata` that is anything but a mapping of texts to texts.",
    why="The standard allows no more; clients may drop the whole.",
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
metadata:
  version: 1.0
---
Move stray files where they belong.
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
metadata:
  version: "1.0"
---
Move stray files where they belong.
""",
    check=_check,
)
