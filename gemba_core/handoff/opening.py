"""Opening what a decision asks a person, in the orchestrator's own session."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from gemba_core.errors import GembaError
from gemba_core.frame.line import new_event_id
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
            "detail": {"handoff": msgspec.to_builtins(question.about)},
        }
        return Asked(HOOK, payload, self.agent_type)


@dataclass(frozen=True, slots=True)
class Raised:
    """An escalation that is open; `again`: it was open before."""

    id: str
    urgency: str
    again: bool
    question: Question


def raise_all(place: Place, questions: Sequence[Question]) -> list[Raised]:
    """Open each of them that is not open yet. Raises NobodyAsked, LogError, GembaError.

    With NobodyAsked none is open.
    """
    frames = [place.asked(question) for question in questions]
    ids = [new_event_id() for _ in frames]
    for frame, event_id in zip(frames, ids, strict=True):
        record(
            place.session_id,
            frame.hook,
            frame.payload,
            agent_type=frame.agent_type,
            event_id=event_id,
        )
    with Journal(place.session_id) as journal:
        journal.advance()
        raised = []
        for question, event_id in zip(questions, ids, strict=True):
            item = journal.state.find(event_id)
            if item is None:
                raise GembaError(
                    f"{event_id}: it was written but not accepted; "
                    f"`gemba log verify {place.session_id}` says why"
                )
            raised.append(Raised(item.id, item.urgency, item.id != event_id, question))
        return raised


def unsettled(session_id: str, questions: Sequence[Question]) -> list[Question]:
    """Those that are still to be asked: what was said to be remembered or forgotten stands."""
    with Journal(session_id) as journal:
        journal.advance()
        settled = {
            opened.key for one, opened in journal.opened.items() if one in journal.state.closed
        }
    return [one for one in questions if one.about.purpose != "memory" or one.key not in settled]
