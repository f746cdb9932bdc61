"""GS111. Source: spec 000, "What the skill must NOT do"."""

import re
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.phrases import in_code, in_words
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_SIGNS = ("Gemba", "GEMBA_HOME", ".gemba", ".jsonl", " log")
_FRAME = re.compile(r'["\']hook["\']\s*:\s*["\']Gemba[A-Z]\w*["\']')
_WRITE = re.compile(
    r"(?:>>?|\btee(?:\s+-a)?\b|\bopen\()\s*[\"']?[^\s\"']*"
    r"(?:\.gemba/sessions|GEMBA_HOME\}?[\"']?/sessions|\bsessions/[^\s\"']*\.jsonl)"
)
_SAID = re.compile(
    r"(?<!you )(?<!to )\b(?:write|append|add|put)\b(?!\s+to\s+it)[^.;:]{0,60}?"
    r"\b(?:Gemba[A-Z]\w+\b|(?:to|into|in|on)\b[^.;:]{0,30}?\bsession[’']?s?\s+log\b)",
    re.IGNORECASE,
)


def _check(skill: Subject) -> Iterator[Fault]:
    if not any(sign in skill.document.body for sign in _SIGNS):
        return
    for pattern in (_FRAME, _WRITE):
        for passage, start, end in in_code(skill.body.passages, pattern):
            yield skill.within(passage, start, end, _WHAT)
    for passage, start, end in in_words(skill.body.passages, _SAID):
        yield skill.within(passage, start, end, _WHAT)


_WHAT = "a session's log is not written by hand; tell the agent to call gemba-ask or gemba-state"

RULE = Rule(
    id="GS111",
    name="hand-written-log",
    severity="error",
    scope="contract",
    does="Finds frames of a session's log that a skill writes by itself.",
    why=(
        "`gemba-ask` stamps time, id, mode and session as readers expect them, and appends under "
        "the log's lock. A frame by hand is dropped, or spoils its neighbour."
    ),
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Where `gemba-ask` is missing:

    echo '{"hook": "GembaAsk", "payload": {}}' >> ~/.gemba/sessions/s.jsonl
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
    gemba-ask --kind question --role coach --text "<what to ask>"
""",
    check=_check,
)
