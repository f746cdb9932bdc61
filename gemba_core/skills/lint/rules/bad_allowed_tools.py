"""GS208. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("allowed-tools")
    if field is None or isinstance(field.value, str | None):
        return
    if not isinstance(field.value, list) or any(not isinstance(one, str) for one in field.value):
        yield skill.at_value(field, "allowed-tools is a text, or a list of texts")


RULE = Rule(
    id="GS208",
    name="bad-allowed-tools",
    severity="error",
    scope="standard",
    does="Finds `allowed-tools` that is neither a text nor a list of texts.",
    why="Clients cannot read it, and pre-approve nothing.",
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
allowed-tools:
  Read: true
---
Move stray files where they belong.
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
allowed-tools: Read Grep
---
Move stray files where they belong.
""",
    check=_check,
)
