"""GS108. Source: spec 000, "What the skill instructs the agent to do"."""

import re
from collections.abc import Iterator

from gemba_core.skills.lint.commands import Command
from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.prohibition import sentence
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

# "After a blocker, call …": a rule for all of them, wherever it stands.
_GENERAL = re.compile(r"\b(?:after|blockers?|then|whenever)\b", re.IGNORECASE)


def _check(skill: Subject) -> Iterator[Fault]:
    blockers = [ask.command for ask in skill.asks if ask.kind == "blocker"]
    if not blockers or skill.variety != "manager":
        return
    behind = skill.commands[skill.commands.index(blockers[0]) :]
    if not any(map(_is_prompting, behind)) and not any(map(_is_general, skill.commands)):
        what = "no `gemba-state prompting` behind this blocker; tell the agent to call it and wait"
        yield skill.at_command(blockers[0], what)


def _is_prompting(command: Command) -> bool:
    words = [word.text for word in command.words]
    is_state = command.program == "gemba-state" and not command.is_forbidden
    return is_state and "prompting" in words


def _is_general(command: Command) -> bool:
    if not _is_prompting(command) or command.passage.kind == "code":
        return False
    start, end = sentence(command.passage.words, command.start, command.end)
    return _GENERAL.search(command.passage.words[start:end]) is not None


RULE = Rule(
    id="GS108",
    name="blocks-without-prompting",
    severity="error",
    scope="contract",
    does=(
        "Finds a manager that raises a blocker, and never tells the agent to call "
        "`gemba-state prompting` after it."
    ),
    why="The list of sessions goes on saying that the agent is at work, while it waits for you.",
    example="""\
---
skill_id: ship
variety: manager
description: Ships the release.
---
When the build fails, call:

    gemba-ask --kind blocker --role manager --text "<why it fails>"
""",
    use="""\
---
skill_id: ship
variety: manager
description: Ships the release.
---
When the build fails, call:

    gemba-ask --kind blocker --role manager --text "<why it fails>"

Then call `gemba-state prompting` and wait for the operator.
""",
    check=_check,
)
