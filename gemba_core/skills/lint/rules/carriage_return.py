"""GS007."""

from collections.abc import Iterator

from gemba_core.skills.document import position
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    # What is no text is told so, and no byte of it is touched.
    if b"\r" in skill.data and not any(skill.problems("encoding", "too-large")):
        text = skill.data.decode("utf-8-sig", "replace")
        line = text.count("\n", 0, text.index("\r")) + 1
        at = position(skill.document.text, _end_of_line(skill.document.text, line))
        yield Fault(at, at, "line ends with carriage returns; save the file with \\n", _without)


def _end_of_line(text: str, line: int) -> int:
    return len("\n".join(text.split("\n")[:line]))


def _without(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


RULE = Rule(
    id="GS007",
    name="carriage-return",
    severity="warning",
    scope="file",
    does="Finds line ends with a carriage return, once for each file.",
    why=(
        "In a shell command that is copied from the file, the carriage return becomes a part of "
        "the last word, and a backslash before it no longer continues the line."
    ),
    example="---\r\nskill_id: tidy\r\nvariety: coach\r\ndescription: Tidies.\r\n---\r\n"
    "Ask with `gemba-ask`.\r\n",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies.
---
Ask with `gemba-ask`.
""",
    check=_check,
    fixable=True,
)
