"""Opening what a decision asks a person, in the orchestrator's own session."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from gemba_core.errors import GembaError
from gemba_core.frame.line import new_event_id
from gemba_core.frame.origin import HANDOFF
from gemba_core.frame.vocabulary import urgency
from gemba_core.handoff.question import Question
from gemba_core.journal import Journal
from gemba_core.log import record
from gemba_core.waiting import Asked

HOOK = "GembaEscalate"
ROLE = "manager"


class NobodyAsked(GembaError):
    """The mode lets nobody be asked. Nothing was raised, and no answer is made up."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where it is asked. `reply_to` is the orchestrator's own pane, if it has one."""

    session_id: str
    mode: str
    agent_type: str = ""
    bead: str | None = None
    reply_to: dict[str, object] | None = None

    def asked(self, question: Question) -> Asked:
        """The frame that opens it. Raises NobodyAsked."""
        pressing = urgency(self.mode, question.kind)
        if pressing is None:
            raise NobodyAsked(
                f"in {self.mode} mode nobody is asked, so nothing was raised; a silence is no "
                "consent: run nothing that needs one, and record what you assume"
            )
        payload: dict[str, object] = {
            "source": question.source,
            "urgency": pressing,
            "prompt": question.prompt,
            "title": question.title,
            "options": [{"value": value, "label": label} for value, label in question.options],
            "bead_id": self.bead,
            "role": ROLE,
            "key": question.key,
            "reply_to": self.reply_to,
            "detail": {HANDOFF: msgspec.to_builtins(question.about)},
        }
        return Asked(HOOK, payload, self.agent_type)


@dataclass(frozen=True, slots=True)
class Raised:
    """An escalation that is open; `again`: it was open before."""

    id: str
    urgency: str
    again: bool
    question: Question


def raise_each(place: Place, questions: Sequence[Question]) -> Iterator[Raised]:
    """Open each of them that is not open yet. Raises NobodyAsked, LogError, GembaError.

    Those that were given before an error are open; with NobodyAsked none is.
    """
    frames = [place.asked(question) for question in questions]
    with Journal(place.session_id) as journal:
        for question, frame in zip(questions, frames, strict=True):
            event_id = new_event_id()
            record(
                place.session_id,
                frame.hook,
                frame.payload,
                agent_type=frame.agent_type,
                event_id=event_id,
            )
            journal.advance()
            item = journal.state.find(event_id)
            if item is None:
                raise GembaError(
                    f"{event_id}: it was written but not accepted; "
                    f"`gemba log verify {place.session_id}` says why"
                )
            yield Raised(item.id, item.urgency, item.id != event_id, question)


def unanswered(session_id: str) -> set[str]:
    """The keys of the questions of that session which nobody has answered since they were last
    asked; to put one aside is no answer. Raises LogError."""
    with Journal(session_id) as journal:
        journal.advance()
        last = {opened.key: one for one, opened in journal.opened.items()}
        return {key for key, one in last.items() if key and not _is_answered(journal, one)}


def unsettled(session_id: str, questions: Sequence[Question]) -> list[Question]:
    """Those that are still to be asked: what was said to be remembered or forgotten stands.

    Raises LogError.
    """
    with Journal(session_id) as journal:
        journal.advance()
        said = {opened.key for one, opened in journal.opened.items() if _is_answered(journal, one)}
    return [one for one in questions if one.about.purpose != "memory" or one.key not in said]


def _is_answered(journal: Journal, escalation_id: str) -> bool:
    item = journal.state.closed.get(escalation_id)
    if item is None or item.state != "resolved":
        return False
    return journal.resolutions[escalation_id].kind != "defer"
