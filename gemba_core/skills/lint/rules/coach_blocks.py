"""GS105. Source: spec 000, "Role authority" and "What the skill must NOT do"."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    for ask in skill.asks if skill.variety == "coach" else ():
        if ask.kind == "blocker":
            what = "a coach never raises a blocker; ask a question, or make it `variety: manager`"
            yield skill.at_command(ask.command, what)


RULE = Rule(
    id="GS105",
    name="coach-blocks",
    severity="error",
    scope="contract",
    does=(
        "Finds calls of `gemba-ask` in a coach's body that raise a blocker, as a shell reads them: "
        "options in any order, `--kind=blocker`, quotes, lines that go on, `sh -c`; in blocks of "
        "code, in code within words, and in plain words."
    ),
    why=(
        "`gemba-ask` refuses a blocker of a coach, so the agent's need reaches nobody. A skill "
        "that has to block is a manager's."
    ),
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
When a file is in the way, run

    gemba-ask --role coach \\
      --kind="blocker" --text "<what is in the way>"
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
When a file is in the way, run

    gemba-ask --role coach --kind question --text "<what is in the way>"
""",
    note=(
        "A call that the skill *forbids* is no finding. It is forbidden where the clause around it "
        'says so ("never call …", "must not …", "instead of …", "… is refused"), or the words that '
        'lead up to a list or a block of code ("Never do this:"), or the title above it ("What you '
        'must not do"), or a `# never` remark in the line before. "If you do not know, call …" '
        'forbids nothing, nor does "do not hesitate to call …".'
    ),
    check=_check,
)
