"""GS107. Source: spec 000, "Front-matter shape for bundled skills": the body names gemba-ask."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.is_readable and "gemba-ask" not in skill.document.body:
        yield skill.at_top("the body never names gemba-ask; tell the agent to ask with it")


RULE = Rule(
    id="GS107",
    name="no-ask",
    severity="error",
    scope="contract",
    does="Finds a skill whose body does not name `gemba-ask`.",
    why="Without it the agent asks wherever it likes, and nobody may see it.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Move stray files where they belong. Ask where you are not sure.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Move stray files where they belong. Where you are not sure, call
`gemba-ask --kind question --role coach --text "<which file, and where to>"`.
""",
    check=_check,
)
