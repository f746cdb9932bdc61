"""Handing an operator's answer to the agent through its own hook.

Imported only where an answer was laid out. It is claimed before it is printed,
and `submitted` after; the agent's next hook is the receipt.
"""

import json
from typing import TYPE_CHECKING

import msgspec

from gemba_core import home
from gemba_core.clients import Client, client_of
from gemba_core.frame.text import one_line
from gemba_core.frame.vocabulary import DUE
from gemba_core.handover import Handover
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.offer import take_up, withdraw
from gemba_core.translator import SessionState
from gemba_core.translator.state import Answer, oldest_first

if TYPE_CHECKING:
    from gemba_core.skills.mentions.answered import Mentioned


def hand_over(session_id: str, hook: str, data: bytes) -> None:
    """Print the oldest answer that is due, in the client's shape. Raises GembaError."""
    offer = take_up(session_id)
    if offer is None:
        return
    try:
        state, position = offer.folded(), offer.position
    except msgspec.MsgspecError:
        state, position = None, None
    with Journal(session_id, state=state, position=position) as journal:
        journal.advance()
        client = client_of(journal.state.agent_type)
        if hook not in client.takes_answers or not _is_own(journal.state, data):
            return
        answer = _due(journal.state, client)
        if answer is not None:
            _handed_over(journal, client, hook, answer)
        if _due(journal.state, client) is None:
            withdraw(session_id)


def _is_own(state: SessionState, data: bytes) -> bool:
    """Whether the bound client itself calls: a child or a sub-agent takes no answer for it."""
    try:
        caller = json.loads(data)
    except ValueError:
        return False
    own = state.client is not None and caller.get("session_id") == state.client.session_id
    return own and not caller.get("agent_id")


def _due(state: SessionState, client: Client) -> Answer | None:
    answers: list[Answer] = oldest_first(state.answers)
    return next(
        (
            answer
            for answer in answers
            if answer.status in DUE and len(answer.text) <= client.longest_answer
        ),
        None,
    )


def _handed_over(journal: Journal, client: Client, hook: str, answer: Answer) -> None:
    with LifeLock(home.wait_lock_path(journal.session_id, answer.id)) as lock:
        handover = Handover(journal, "hook", lock)
        if lock.take() and handover.claim([answer.id]):
            assert client.hand_over is not None
            told, mentioned = _told(journal, answer), _mentioned(client, answer)
            if mentioned is not None:
                told += f"\n\n---\n{mentioned.guidance}"
            printed = json.dumps(client.hand_over(hook, told)).encode()
            if handover.print_out(printed, "submitted") is None and mentioned is not None:
                mentioned.lead(journal)


def _mentioned(client: Client, answer: Answer) -> "Mentioned | None":
    """The skill that the answer mentions: it comes as no prompt, whose hook would bring it."""
    if "$" not in answer.text:
        return None
    # Imported here: only an answer that may mention a skill pays for it.
    from gemba_core.skills.mentions.answered import mentioned_in

    return mentioned_in(answer.text, limit=client.longest_context)


def _told(journal: Journal, answer: Answer) -> str:
    """The answer, and to what: in the midst of its work the agent must know which question."""
    asked = [journal.opened[one].title for one in answer.escalation_ids if one in journal.opened]
    ids = ", ".join(answer.escalation_ids)
    what = f" ({one_line(asked[0])})" if asked else ""
    whose = "No operator's answer" if answer.by_policy else "The operator's answer"
    return f"{whose} to {ids}{what}:\n{answer.text}"
