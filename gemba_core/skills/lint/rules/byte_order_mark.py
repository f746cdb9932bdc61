"""GS006."""

from codecs import BOM_UTF8
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.data.startswith(BOM_UTF8):
        yield skill.at_top("a byte-order mark; save the file without it", _without_mark)


def _without_mark(data: bytes) -> bytes:
    while data.startswith(BOM_UTF8):
        data = data.removeprefix(BOM_UTF8)
    return data


RULE = Rule(
    id="GS006",
    name="byte-order-mark",
    severity="warning",
    scope="file",
    does="Finds a byte-order mark at the beginning of the file.",
    why="It is invisible, and a reader that does not expect it sees no front matter behind it.",
    example="""\
\ufeff---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    check=_check,
    fixable=True,
)
