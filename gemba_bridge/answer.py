"""Handing an operator's answer to the agent through its own hook.

Imported only where an answer was laid out. It is claimed before it is printed,
and `submitted` after; the agent's next hook is the receipt.
"""

import json
import os

import msgspec

from gemba_core import home
from gemba_core.clients import Client, client_of
from gemba_core.frame.text import one_line
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import frame_line
from gemba_core.offer import take_up, withdraw
from gemba_core.translator import SessionState
from gemba_core.translator.state import Answer, oldest_first


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
            if answer.status in ("queued", "held") and len(answer.text) <= client.longest_answer
        ),
        None,
    )


def _handed_over(journal: Journal, client: Client, hook: str, answer: Answer) -> None:
    lock = LifeLock(home.wait_lock_path(journal.session_id, answer.id))
    with lock:
        held = os.path.relpath(lock.path, home.home())
        if not lock.take() or not journal.append_if(lambda now: _claim(now, answer, held)):
            return
        assert client.hand_over is not None
        printed = json.dumps(client.hand_over(hook, _told(journal, answer))).encode()
        try:
            written = os.write(1, printed)
        except OSError as error:
            why = f"standard output: {error.strerror}"
            failed = _line(journal.session_id, answer, "failed", detail=why)
            again = _line(journal.session_id, answer, "queued", attempt=answer.attempt + 1)
            # In one append: killed between two, it would stay failed, and nobody would try again.
            journal.append_if(lambda _: failed + again)
            return
        if written < len(printed):
            _record(journal, answer, "uncertain", detail="the agent did not read all of it")
        else:
            _record(journal, answer, "submitted")


def _told(journal: Journal, answer: Answer) -> str:
    """The answer, and to what: in the midst of its work the agent must know which question."""
    asked = [journal.opened[one].title for one in answer.escalation_ids if one in journal.opened]
    ids = ", ".join(answer.escalation_ids)
    what = f" ({one_line(asked[0])})" if asked else ""
    return f"The operator's answer to {ids}{what}:\n{answer.text}"


def _claim(state: SessionState, answer: Answer, lock: str) -> bytes | None:
    now = state.answers.get(answer.id)
    if now is None or now.attempt != answer.attempt or now.status not in ("queued", "held"):
        return None
    return _line(state.session_id, answer, "claimed", lock=lock)


def _record(journal: Journal, answer: Answer, status: str, detail: str | None = None) -> None:
    line = _line(journal.session_id, answer, status, detail=detail)
    journal.append_if(lambda _: line)


def _line(
    session_id: str,
    answer: Answer,
    status: str,
    *,
    attempt: int | None = None,
    detail: str | None = None,
    lock: str | None = None,
) -> bytes:
    payload: dict[str, object] = {
        "resolution_id": answer.id,
        "attempt": attempt or answer.attempt,
        "status": status,
        "by": "hook",
        "detail": detail,
        "lock": lock,
    }
    return frame_line(session_id, "GembaDelivery", payload)
