"""GS202. Source: the Agent Skills standard, "Specification"."""

import unicodedata
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_MOST = 64


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("name")
    if field is None or not isinstance(field.value, str) or not field.value.strip():
        return
    name = unicodedata.normalize("NFKC", field.value.strip())
    if len(name) > _MOST:
        yield skill.at_value(field, f"a name of {len(name)} characters; it has at most {_MOST}")
    if name != name.lower() or not all(part.isalnum() for part in name.split("-")):
        what = f"name {name!r}; use lower-case letters, digits, and single hyphens between them"
        yield skill.at_value(field, what)


RULE = Rule(
    id="GS202",
    name="bad-name",
    severity="error",
    scope="standard",
    does=(
        "Finds names that are longer than 64 characters, or hold anything but lower-case letters, "
        "digits and single hyphens, with none at their ends."
    ),
    why="Clients refuse such a name, or cannot be asked for it.",
    example="""\
---
name: Tidy_Up
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
