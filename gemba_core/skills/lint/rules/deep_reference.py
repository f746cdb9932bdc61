"""GS210. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.references import references
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    for passage, link, path in references(skill):
        parts = path.split("/")
        if len(parts) > 2 or parts[0] == "..":
            what = f"{path}: keep what the skill refers to in its folder, or one folder below"
            yield skill.within(passage, link.start, link.end, what)


RULE = Rule(
    id="GS210",
    name="deep-reference",
    severity="note",
    scope="standard",
    does=(
        "Tells of links to files that lie more than one folder below the `SKILL.md`, or outside "
        "its folder."
    ),
    why=(
        "The standard recommends one level: agents follow deeper ones less surely, and what lies "
        "outside is not there when the folder is copied."
    ),
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
---
See [the cases](references/more/cases.md).
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
---
See [the cases](https://example.com/cases.md).
""",
    check=_check,
)
