"""Whether an agent may be typed to, by its session's own word."""

from gemba_core.journal import Journal
from gemba_core.translator import SessionState


def busy(state: SessionState) -> str | None:
    """Why an answer to this agent waits, and for what; None where it is idle."""
    why = occupied(state)
    if why is None or state.status == "suspended" or state.dialogs:
        return why
    then = "its turn ends" if state.turn.open else "it is prompting"
    return f"{why}; it gets the answer when {then}"


def occupied(state: SessionState) -> str | None:
    """Why nothing may be typed to this agent now; None where it is idle."""
    if state.status == "suspended":
        return "the session is paused"
    if state.dialogs:
        return "a dialog of the agent is up in its pane"
    if state.turn.open:
        return "the agent is at work"
    if state.turn.reported in ("working", "initializing"):
        return f"the agent reported {state.turn.reported}"
    return None


def no_dialog(journal: Journal) -> bool:
    """Whether its log, read to the end, knows of no dialog that a key would answer."""
    journal.advance()
    return not journal.state.dialogs
