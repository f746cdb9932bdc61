"""GS211. Source: the Agent Skills standard, "Specification"."""

import os
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.references import references
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    folder = os.path.dirname(os.path.abspath(skill.path))
    for passage, link, path in references(skill):
        if not os.path.lexists(os.path.join(folder, path)):
            yield skill.within(passage, link.start, link.end, f"{path}: no such file or folder")


RULE = Rule(
    id="GS211",
    name="broken-reference",
    severity="note",
    scope="standard",
    does="Finds relative links to files that are not there.",
    why="The agent is sent to read what does not exist.",
    example="""\
---
name: tidy
description: Tidies the workspace. Use it when files lie about.
---
See [the cases](cases.md).
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
