"""A prompt from the operator into the pane of an idle agent. It answers nothing."""

import hashlib
import time

from gemba_core import home
from gemba_core.errors import GembaError, PaneError, Refused, UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import IN_HAND
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.idle import no_dialog, occupied
from gemba_core.inbox.peek import pane_of
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Index
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import frame_line
from gemba_core.panes import PaneAddress, composer_of, enter, look, refusal, unready
from gemba_core.translator import SessionState

_POLL = 0.2
_WAIT = "wait for it with --wait TIME"


class _NotNow(GembaError):
    """It cannot be typed at the moment."""


def send(index: Index, session_id: str, text: str, *, actor: Actor, patience: float = 0.0) -> None:
    """Type the text into that session's pane and submit it, within `patience` seconds.

    A GembaEcho goes on the record first, so that it is nobody's answer when it
    comes back as a prompt. Raises NotFound, Refused for an agent, UsageError for
    a text that cannot be typed, PaneError and GembaError where it was not
    submitted, or may not have been; LogError.
    """
    if actor.is_agent:
        raise Refused("an agent does not type for the operator; run this outside of its session")
    address = pane_of(index, session_id)
    said = deliverable(text)
    if not said or len(said.encode()) > MAX_INPUT:
        raise UsageError("the text is empty, or longer than 1 MiB")
    deadline = time.monotonic() + patience
    with open_journal(index, session_id) as journal:
        while True:
            try:
                return _typed(index, journal, address, said)
            except _NotNow:
                if time.monotonic() >= deadline:
                    raise
            time.sleep(_POLL)


def _typed(index: Index, journal: Journal, address: PaneAddress, text: str) -> None:
    session_id = journal.session_id
    with LifeLock(home.pane_lock_path(address.key)) as lock:
        if not lock.take():
            raise _NotNow(f"{session_id}: a delivery has the pane; try again in a moment")
        journal.advance()
        composer = composer_of(journal.state.agent_type)
        refused = refusal(text, composer)
        if refused:
            raise UsageError(f"{session_id}: {refused}")
        if journal.state.is_ended:
            raise PaneError(f"{session_id}: the session has ended")
        why = _unfree(journal.state)
        if why:
            raise _NotNow(f"{session_id}: {why}")
        before = look(address)
        if before.verdict == "failed":
            raise PaneError(f"{session_id}: {before.why}")
        why = before.why or unready(composer, before)
        if why:
            raise _NotNow(f"{session_id}: {why}")
        if not journal.append_if(lambda state: _echo(state, text)):
            why = _unfree(journal.state) or f"an answer is on its way into its pane; {_WAIT}"
            raise _NotNow(f"{session_id}: {why}")
        entry = enter(address, text, composer, before, may_submit=lambda: no_dialog(journal))
        if entry.status != "submitted":
            raise PaneError(f"{session_id}: uncertain: {entry.why}; see it with sessions peek")


def _echo(state: SessionState, text: str) -> bytes | None:
    """The frame that says that we type this, where the agent is idle and nothing else is typed."""
    if (
        state.is_ended
        or _unfree(state)
        or any(one.status in (*IN_HAND, "uncertain") for one in state.answers.values())
    ):
        return None
    payload: dict[str, object] = {
        "text_sha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        "length": len(text),
        "why": "sessions send",
    }
    return frame_line(state.session_id, "GembaEcho", payload)


def _unfree(state: SessionState) -> str | None:
    """Why nothing may be typed to it now, and what helps; None where it is idle."""
    why = occupied(state)
    if why is None:
        return None
    is_paused = state.status == "suspended"
    helps = f"let it go on with gemba sessions resume {state.session_id}" if is_paused else _WAIT
    return f"{why}; {helps}"
