"""GS214. Source: the Agent Skills standard, "Specification", which has no `tools`."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("tools")
    if field is not None and not skill.is_contract and skill.value("narrow-tools") is None:
        what = (
            "tools limits the session to these while the skill leads, and refuses all others; "
            "say `narrow-tools: true` if that is meant, or `narrow-tools: false`"
        )
        yield skill.at_key(field, what)


RULE = Rule(
    id="GS214",
    name="limiting-tools",
    severity="note",
    scope="standard",
    does=(
        "Tells of `tools` in a `SKILL.md` of no `variety` that does not say whether it is a limit."
    ),
    why=(
        "`tools` is Gemba's own key. Others list there what the skill is made for, such as "
        "`[claude, cursor]`: with these for its tools an agent can do nothing."
    ),
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
tools: [claude, cursor]
---
Move stray files where they belong.
""",
    use="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
tools: [claude, cursor]
narrow-tools: false
---
Move stray files where they belong.
""",
    check=_check,
)
