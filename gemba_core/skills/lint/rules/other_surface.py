"""GS112. Source: spec 000, "What the skill must NOT do"."""

import re
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.phrases import in_code, in_words, is_echo
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_SHELL = re.compile(
    r"\bread\s+(?:-\w+\s+)*-\w*p\b"
    r"|(?:^|[;&|]\s*)(?:notify-send|zenity|whiptail|sendmail)\b"
    r"|\bosascript\b[^\n]{0,300}?\bdisplay\s+(?:notification|dialog|alert)\b"
    r"|\bmail\s+-s\b"
    r"|\b(?:curl|wget|http)\b[^\n]{0,300}?(?:escalations|slack|discord|telegram|webhook|ntfy|pushover)"
    r"|(?:>>?|\btee(?:\s+-a)?)\s*[\"']?[^\s\"'|&;<>]*(?:question|blocker)s?[^\s\"'|&;<>]*",
    re.IGNORECASE | re.MULTILINE,
)
_TOOLS = re.compile(
    r"\b(?:AskUserQuestion|ask_user(?:_question)?|ask_question|raise_blocker|request_user_input)\b"
    r"(?!\.\w)"  # a file of that name is no tool
)
_SAID = re.compile(
    r"(?<!you )(?<!to )\b(?:write|append|add|put|save|post|send)\b[^.;:]{0,60}?"
    r"\b(?:questions?|blockers?)\b[^.;:]{0,40}?"
    r"\b(?:(?:to|in|into|on)\b[^.;:]{0,30}?(?:\w\.(?:md|txt|json)\b|\b(?:slack|discord|telegram)\b))",
    re.IGNORECASE,
)


def _check(skill: Subject) -> Iterator[Fault]:
    passages = skill.body.passages
    words = [passage for passage in passages if not is_echo(passage)]
    for found in (
        in_code(passages, _SHELL, shell_only=True),
        in_words(words, _TOOLS),
        in_words(words, _SAID),
    ):
        for passage, start, end in found:
            what = "another way of asking; tell the agent to call gemba-ask instead"
            yield skill.within(passage, start, end, what)


RULE = Rule(
    id="GS112",
    name="other-surface",
    severity="error",
    scope="contract",
    does=(
        "Finds other ways of asking a person: an HTTP call to a chat, `read -p`, a desktop "
        "notification, a file of questions, a client's own question tool."
    ),
    why="What is asked there is not in the inbox, has no receipt, and is easily answered twice.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Call `gemba-ask`, and also:

    echo "<what to ask>" >> QUESTIONS.md
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
    gemba-ask --kind question --role coach --text "<what to ask>"

Repeat it under `## Questions`, for who watches the pane.
""",
    note="Sections `## Questions` and `## Blockers` only repeat what was asked: no finding.",
    check=_check,
)
