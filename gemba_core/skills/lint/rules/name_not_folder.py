"""GS203. Source: the Agent Skills standard, "Specification"."""

import os
import unicodedata
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("name")
    folder = os.path.basename(os.path.dirname(os.path.abspath(skill.path)))
    if field is None or not isinstance(field.value, str) or not field.value.strip():
        return
    names = [unicodedata.normalize("NFKC", name) for name in (field.value.strip(), folder)]
    if names[0] != names[1]:
        what = f"name {names[0]!r} in a folder {folder!r}; rename one of them"
        yield skill.at_value(field, what)


RULE = Rule(
    id="GS203",
    name="name-not-folder",
    severity="error",
    scope="standard",
    does="Finds a name that is not the name of the folder that holds the `SKILL.md`.",
    why="The standard asks that they are equal. Some clients go by the one, others by the other.",
    example="""\
---
name: tidy-up
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
