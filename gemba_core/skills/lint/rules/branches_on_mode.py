"""GS114. Source: spec 000, "Blocking policy — mode, not skill"."""

import re
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.phrases import in_code, in_words
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_READ = re.compile(r"\$\{?GEMBA_INTERACTION_MODE\b|\bprintenv\s+GEMBA_INTERACTION_MODE\b")
_MODE = (
    r"(?:\b(?:balanced|cautious)\s+mode\b"
    r"|(?:\b|_)mode\s+(?:is|=|==)\s*(?:balanced|cautious)\b)"
)
_TITLE = re.compile(r"\W*(?:in\s+)?(?:balanced|cautious)(?:\s+mode)?\W*", re.IGNORECASE)
# What is to be done there. A skill may say what Gemba does: that is no branch.
_EMIT = r"(?:ask|raise|emit|escalate|use\s+--kind|(?:call|run|use)\s+gemba-ask|gemba-ask\s+--)"
_SOFT = r"(?:\s*you\s+(?:should|must|may|can|need\s+to))?(?:\s*\b(?:also|only|always|then|just)\b)*"
_SAID = re.compile(
    rf"{_MODE}\s*[,:]?{_SOFT}\s+{_EMIT}(?![\w-])"
    rf"|(?<!you )(?<!they )(?<!agents )(?<![\w-]){_EMIT}\b[^.;:]{{0,80}}?"
    rf"\b(?:only\s+)?(?:in|when|if|while)\b[^.;:,]{{0,30}}?{_MODE}",
    re.IGNORECASE,
)


def _check(skill: Subject) -> Iterator[Fault]:
    body = skill.document.body
    for ask in skill.asks:
        if any(map(_TITLE.fullmatch, ask.command.passage.headings[-1:])):
            yield skill.at_command(ask.command, _WHAT)
    if "GEMBA_INTERACTION_MODE" in body:
        for passage, start, end in in_code(skill.body.passages, _READ):
            yield skill.within(passage, start, end, _WHAT)
    if "mode" in body.lower():
        for passage, start, end in in_words(skill.body.passages, _SAID):
            yield skill.within(passage, start, end, _WHAT)


_WHAT = "a skill does not branch on the mode; tell the agent to ask, and Gemba decides the rest"

RULE = Rule(
    id="GS114",
    name="branches-on-mode",
    severity="error",
    scope="contract",
    does="Finds skills that ask in one interaction mode and not in another.",
    why=(
        "The skill decides whether to ask; whether that blocks is decided by the mode, in one "
        "place. A skill with a policy of its own is wrong as soon as yours changes."
    ),
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
In cautious mode, call `gemba-ask --kind question --role coach --text "<which file>"`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Call `gemba-ask --kind question --role coach --text "<which file>"`. In balanced mode keep
working with your best guess; in cautious mode wait for the reply.
""",
    note="To say what a mode does (as under *Use instead*) is no branch.",
    check=_check,
)
