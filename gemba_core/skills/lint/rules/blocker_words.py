"""GS106. Source: spec 000, "Front-matter shape for bundled skills": the lint's literal rule."""

import re
from collections.abc import Iterator

from gemba_core.skills.document import position
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_WORDS = re.compile(r"gemba-ask --kind blocker")


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.variety != "coach":
        return
    text = skill.document.text
    for found in _WORDS.finditer(text, len(text) - len(skill.document.body)):
        what = "the words `gemba-ask --kind blocker` in a coach's body; say it in other words"
        yield Fault(position(text, found.start()), position(text, found.end()), what)


RULE = Rule(
    id="GS106",
    name="blocker-words",
    severity="warning",
    scope="contract",
    does="Finds the words `gemba-ask --kind blocker` in a coach's body, whatever is said of them.",
    why=(
        "The contract asks that they are not there. An agent may take up a command that it was "
        "told not to run."
    ),
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`. Never call `gemba-ask --kind blocker`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`. A coach does not raise blockers.
""",
    check=_check,
)
