"""GS110. Source: spec 000, "What the skill must NOT do"."""

import re
from collections.abc import Iterator

from gemba_core.skills.lint.commands import Command, leading
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

# The mode, and not what is dangerous otherwise.
_DANGEROUS = re.compile(
    r"\bdangerous\W{1,3}(?:interaction\s+)?mode\b|\bmode\b[^.;]{0,30}?\bdangerous\b"
    r"|^\W*dangerous\W*$|\b(?:in|under)\s+[`*\"']*dangerous\b(?!\s+\w)"
    r"|GEMBA_INTERACTION_MODE=\W?dangerous\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_THERE = re.compile(
    r"\b(?:unless|except|not|never|other than|outside)\b[^.;]{0,200}?\bdangerous\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.;!?](?=\s|$)|,\s*(?:but|while|whereas|otherwise)\b|\n[ \t]*\n")


def _check(skill: Subject) -> Iterator[Fault]:
    for ask in skill.asks if "angerous" in skill.document.body else ():
        if any(map(_is_dangerous, _around(ask.command))):
            what = "in dangerous mode nobody is asked; tell the agent to record its assumption"
            yield skill.at_command(ask.command, what)


def _is_dangerous(text: str) -> bool:
    return _DANGEROUS.search(text) is not None and _NOT_THERE.search(text) is None


def _around(command: Command) -> Iterator[str]:
    """What says when the command is called."""
    yield from (one for one in command.assigned if one.startswith("GEMBA_INTERACTION_MODE="))
    passage = command.passage
    yield from passage.headings[-1:]
    yield from leading(passage)
    if passage.kind != "code":
        text = passage.text.replace("`", " ")
        start = max((one.end() for one in _CLAUSE_END.finditer(text[: command.start])), default=0)
        end = _CLAUSE_END.search(text, command.end)
        yield text[start : command.start] + text[command.end : end.start() if end else len(text)]


RULE = Rule(
    id="GS110",
    name="asks-in-dangerous-mode",
    severity="error",
    scope="contract",
    does="Finds calls of `gemba-ask` that are to be made in `dangerous` mode.",
    why="`gemba-ask` refuses them. There the agent records an assumption and goes on.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
In dangerous mode call `gemba-ask --kind question --role coach --text "…"` first.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Call `gemba-ask --kind question --role coach --text "…"`. If it refuses, do what it says.
""",
    check=_check,
)
