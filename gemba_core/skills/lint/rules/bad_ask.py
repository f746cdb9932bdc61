"""GS109. Source: spec 000, "Response pathway": the contract asks for a well-formed request."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    for ask in skill.asks:
        for wrong in ask.wrong:
            if wrong.word is None:
                yield skill.at_command(ask.command, wrong.message)
            else:
                passage, word = ask.command.passage, wrong.word
                yield skill.within(passage, word.start, word.end, wrong.message)


RULE = Rule(
    id="GS109",
    name="bad-ask",
    severity="error",
    scope="contract",
    does=(
        "Finds calls of `gemba-ask` that it would refuse: unknown options and values, options "
        "that do not go together, and in a block of code options that are missing."
    ),
    why="The agent gets a usage error in place of an answer, at the moment when it needs one.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
    gemba-ask --type question --role coach --text "<what to do>"
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
    gemba-ask --kind question --role coach --text "<what to do>"
""",
    note=(
        "`<placeholder>`, `…`, `$VARIABLE` and `$(command)` stand for any value. Code within a "
        "sentence may be a mention (`gemba-ask --kind question`): nothing is missed in it."
    ),
    check=_check,
)
