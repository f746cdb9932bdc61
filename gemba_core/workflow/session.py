"""The sessions that operators see: the workflow's own, and those of its agents."""

import os

from gemba_core.frame.origin import WORKFLOW
from gemba_core.home import log_path
from gemba_core.journal import Journal
from gemba_core.log import frame_line, record
from gemba_core.translator import SessionState
from gemba_core.translator.state import Escalation


def report(session: str, state: str, note: str) -> None:
    """Say how the workflow is. Raises LogError."""
    payload: dict[str, object] = {"state": state, "note": note}
    record(session, "GembaState", payload, agent_type=WORKFLOW, sync=False)


def end(session: str) -> None:
    """Have it ended, unless it has said so itself, or never said anything. Raises LogError."""
    if not os.path.exists(log_path(session)):
        return
    line = frame_line(session, "SessionEnd", {"reason": "other"})

    def choose(state: SessionState) -> bytes | None:
        return None if state.is_ended else line

    with Journal(session) as journal:
        journal.append_if(choose)


def escalation_in(session: str, escalation: str) -> Escalation | None:
    """That escalation as it stands, if the session has it. Raises LogError."""
    with Journal(session) as journal:
        journal.advance()
        return journal.state.find(escalation)
