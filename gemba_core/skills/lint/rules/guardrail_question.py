"""GS113. Source: spec 000, "What the skill instructs the agent to do"."""

import re
from collections.abc import Iterator

from gemba_core.skills.lint.commands import Command, leading
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.prohibition import sentence
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_VIOLATION = re.compile(
    r"\bguardrails?\b[^.;]{0,200}?\b(?:violat\w+|breach\w*|broken|crossed)\b"
    r"|\b(?:violat\w+|breach\w*|breaks?|cross(?:es)?)\b[^.;]{0,200}?\bguardrails?\b",
    re.IGNORECASE,
)
# "For a violation a blocker, for anything else …": what is beyond it is about something else.
_CONTRAST = re.compile(r"\b(?:else|otherwise)\b", re.IGNORECASE)


def _check(skill: Subject) -> Iterator[Fault]:
    if skill.variety != "manager" or "uardrail" not in skill.document.body:
        return
    for ask in skill.asks:
        about = " ".join(word.text for word in ask.command.words)
        if ask.kind == "question" and any(map(_VIOLATION.search, (about, *_reasons(ask.command)))):
            what = "a guardrail violation is a blocker; use --kind blocker"
            yield skill.at_command(ask.command, what)


def _reasons(command: Command) -> Iterator[str]:
    """What says why the command is called."""
    passage = command.passage
    yield from leading(passage)
    if passage.kind != "code":
        start, end = sentence(passage.words, command.start, command.end)
        before = _CONTRAST.split(passage.words[start : command.start])[-1]
        after = _CONTRAST.split(passage.words[command.end : end])[0]
        yield from re.split(r"[;:](?=\s)", f"{before} {after}")


RULE = Rule(
    id="GS113",
    name="guardrail-question",
    severity="error",
    scope="contract",
    does="Finds a manager that escalates the violation of a guardrail as a question.",
    why="In balanced mode a question is advisory: the agent goes on, over the guardrail.",
    example="""\
---
skill_id: ship
variety: manager
description: Ships the release.
---
When a change would violate a guardrail, call:

    gemba-ask --kind question --role manager --text "<which guardrail>"
""",
    use="""\
---
skill_id: ship
variety: manager
description: Ships the release.
---
When a change would violate a guardrail, call:

    gemba-ask --kind blocker --role manager --text "<which guardrail>"

Then call `gemba-state prompting` and wait for the operator.
""",
    check=_check,
)
