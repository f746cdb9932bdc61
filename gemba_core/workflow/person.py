"""Consulting a person: an escalation in the workflow's own session, and its answer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gemba_core.frame.line import timestamp
from gemba_core.frame.origin import WORKFLOW
from gemba_core.frame.text import shown_line
from gemba_core.frame.vocabulary import EXPIRY_CANCEL, EXPIRY_DEFAULT, urgency
from gemba_core.waiting import Asked, Outcome, Take, waiting
from gemba_core.workflow.action import Ask, Option
from gemba_core.workflow.session import escalation_in
from gemba_core.workflow.site import Site

RETRY, STOP = "retry", "stop"
# Characters of a title that say why.
_LONGEST_REASON = 100


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked, and what becomes of it when nobody answers in time.

    `about` is `ask`, `gate` or `failure`; `reason` what the record has of it;
    `deadline` is in seconds from the asking.
    """

    about: str
    reason: str
    title: str | None
    text: str
    options: tuple[Option, ...]
    default: str | None = None
    deadline: float | None = None


def question_of(ask: Ask) -> Question:
    """What the machine wants to be asked."""
    return Question("ask", ask.text, ask.title, ask.text, ask.options, ask.default, ask.deadline)


def stuck(about: str, reason: str, site: Site, printed: Sequence[str]) -> Question:
    """What a person is asked where the workflow cannot go on; `printed`: folders to look at."""
    said = shown_line(reason, _LONGEST_REASON)
    what = f"a gate has failed ({said})" if about == "gate" else said
    look = "".join(f"What the agent printed: {folder}\n" for folder in printed)
    text = (
        f"{reason}\n\nWorkspace: {site.workspace}\nSkill: {site.skill.name}\n{look}"
        f"Answer `{RETRY}` once it is mended, or `{STOP}`: the workflow then ends here."
    )
    again = Option(value=RETRY, label="Try it again")
    options = (again, Option(value=STOP, label="Stop the workflow"))
    return Question(about, reason, f"{site.argument}: {what}", text, options)


class Person(Protocol):
    """Somebody who can be consulted."""

    @property
    def may_be_asked(self) -> bool:
        """Whether anybody may be asked anything: not in dangerous mode."""
        ...

    def consult(self, escalation: str, question: Question, take: Take) -> Outcome:
        """Ask, unless that escalation has been opened before, and wait.

        `take` gets the outcome; an answer counts as handed over once it returns.
        Raises GembaError where it cannot be asked.
        """
        ...


class Operator:
    """Whoever answers Gemba's inbox. `patience` in seconds is how long is waited; inf: for ever."""

    def __init__(self, session: str, *, mode: str, patience: float) -> None:
        self._session = session
        self._mode = mode
        self._patience = patience

    @property
    def may_be_asked(self) -> bool:
        """See Person."""
        return urgency(self._mode, "blocker") is not None

    def consult(self, escalation: str, question: Question, take: Take) -> Outcome:
        """See Person."""
        asked = None if self._was_asked(escalation) else self._asked(question)
        with (
            waiting(self._session, escalation, by="workflow", asked=asked) as one,
            one.shown_as_prompting(WORKFLOW),
        ):
            return one.until_settled(self._patience, take)

    def _was_asked(self, escalation: str) -> bool:
        return escalation_in(self._session, escalation) is not None

    def _asked(self, question: Question) -> Asked:
        payload: dict[str, object] = {
            # The workflow waits in any case; a default says that it could do without.
            "kind": "blocker" if question.default is None else "question",
            "role": "manager",
            "mode": self._mode,
            "title": question.title,
            "text": question.text,
            "options": [
                {"value": one.value, "label": one.label or one.value} for one in question.options
            ]
            or None,
        }
        if question.deadline is not None:
            payload["deadline"] = timestamp(time.time_ns() + int(question.deadline * 1e9))
            default = question.default
            payload["on_expiry"] = EXPIRY_DEFAULT + default if default else EXPIRY_CANCEL
        return Asked("GembaAsk", payload, WORKFLOW)
