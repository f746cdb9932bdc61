"""GS209. Source: the Agent Skills standard, "Specification"."""

from collections.abc import Iterator

from gemba_core.skills.document import Position
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_MOST = 500


def _check(skill: Subject) -> Iterator[Fault]:
    lines = len(skill.document.body.strip().split("\n"))
    if lines > _MOST:
        at = Position(skill.document.body_line, 1)
        what = (
            f"{lines} lines; the standard recommends at most {_MOST}, the rest in files beside it"
        )
        yield Fault(at, at, what)


RULE = Rule(
    id="GS209",
    name="long-body",
    severity="note",
    scope="standard",
    does="Tells of bodies of more than 500 lines.",
    why="The standard recommends fewer: all of it is read whenever the skill is used.",
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
---
Move stray files where they belong.
(and so on, for more than 500 lines)
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
---
Move stray files where they belong. The special cases are in references/cases.md.
""",
    check=_check,
)
