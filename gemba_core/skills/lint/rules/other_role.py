"""GS115. Source: spec 000, "Role authority"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    for ask in skill.asks if skill.variety else ():
        if ask.role in ("coach", "manager") and ask.role != skill.variety:
            word = ask.options["--role"]
            what = f"--role {ask.role} in a {skill.variety}'s skill; use --role {skill.variety}"
            yield skill.within(ask.command.passage, word.start, word.end, what)


RULE = Rule(
    id="GS115",
    name="other-role",
    severity="error",
    scope="contract",
    does="Finds calls of `gemba-ask` whose role is not the skill's variety.",
    why="A coach's skill that asks as a manager takes an authority that it does not have.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
    gemba-ask --kind question --role manager --text "<which file>"
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
    gemba-ask --kind question --role coach --text "<which file>"
""",
    check=_check,
)
