"""The agent's own question to the person, answered from the inbox in place of its dialog.

Each question is an escalation. No answer to all of them in time, or anything
wrong: nothing is printed, and the client's own dialog asks. Imported only for a
call of a tool that asks.
"""

import signal
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NoReturn

from gemba_bridge.inbox import decided, give_up, hand_in, patience
from gemba_core import home
from gemba_core.clients import Client, client_of
from gemba_core.errors import GembaError
from gemba_core.frame.line import new_event_id
from gemba_core.frame.record import loads
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import frame_line
from gemba_core.translator import SessionState
from gemba_core.translator.decisions import answer_text

_IN_PANE = "decided_in_pane"
_TOO_LATE = "not all questions were answered in time: the agent's own dialog asks"


def answer_in_inbox(session_id: str, agent_type: str, data: bytes) -> None:
    """Where the agent's questions are the inbox's: open them, wait, answer. Raises GembaError."""
    client, call = client_of(agent_type), loads(data)
    if client.question_tool is None or call.get("tool_name") != client.question_tool:
        return
    asked = call.get("tool_input")
    questions = _questions(asked)
    seconds = patience(client, agent_type, "questions")
    if questions and isinstance(asked, dict) and seconds:
        _ask(session_id, client, asked, questions, seconds)


def _questions(asked: object) -> list[dict[str, Any]]:
    """The questions; none of them, if one is not as we know it."""
    questions = asked.get("questions") if isinstance(asked, dict) else None
    if not isinstance(questions, list) or not all(map(_is_question, questions)):
        return []
    return questions


def _is_question(one: object) -> bool:
    if not isinstance(one, dict) or not isinstance(one.get("question"), str):
        return False
    options = one.get("options", [])
    return isinstance(options, list) and all(
        isinstance(option, dict) and isinstance(option.get("label"), str) for option in options
    )


def _ask(
    session_id: str,
    client: Client,
    asked: Mapping[str, Any],
    questions: Sequence[Mapping[str, Any]],
    seconds: float,
) -> None:
    ids = [new_event_id() for _ in questions]
    lines = b"".join(
        frame_line(
            session_id,
            "GembaEscalate",
            _escalation(question, asked),
            agent_type=client.name,
            event_id=one,
        )
        for one, question in zip(ids, questions, strict=True)
    )
    lines += _status(session_id, "prompting", _title(questions[0]))
    with ExitStack() as held, Journal(session_id) as journal:
        # Locked before they are recorded: whoever sees one open knows that we wait.
        locks = [held.enter_context(LifeLock(home.wait_lock_path(session_id, one))) for one in ids]
        for lock in locks:
            lock.take()
        # A client that gives up waiting says so by a signal; then its dialog is gone too.
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _stop)
        try:
            journal.append_if(lambda _: lines)
            done = decided(journal, ids, seconds)
            if done is not None:
                answers = {
                    str(question["question"]): answer_text(one.kind, one.value) or ""
                    for question, one in zip(questions, done, strict=True)
                }
                assert client.answer_questions is not None
                hand_in(journal, done, client.answer_questions(asked, answers), locks[0])
        finally:
            journal.append_if(lambda state: _given_up(state, ids))


def _escalation(question: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, object]:
    text = question["question"]
    several = " (several: their labels, with commas)" if question.get("multiSelect") else ""
    return {
        "source": "question",
        "urgency": "blocking",
        "title": _title(question),
        "prompt": f"{text}{several}",
        "options": [_option(option) for option in question.get("options", [])],
        "detail": asked,
    }


def _title(question: Mapping[str, Any]) -> str:
    text, header = question["question"], question.get("header")
    return f"{header}: {text}" if isinstance(header, str) and header else text


def _status(session_id: str, state: str, note: str | None = None) -> bytes:
    """The agent cannot say so itself: it waits for its hook."""
    return frame_line(session_id, "GembaState", {"state": state, "note": note})


def _option(option: Mapping[str, Any]) -> dict[str, str]:
    label, about = option["label"], option.get("description")
    shown = f"{label}: {about}" if isinstance(about, str) and about else label
    return {"value": label, "label": shown}


def _given_up(state: SessionState, ids: Sequence[str]) -> bytes | None:
    """Close what nobody answered here; an answer that was not handed in never will be."""
    lines: dict[str, bytes] = {}
    for one in ids:
        item = state.find(one)
        if item is not None and item.state == "open":
            act: dict[str, object] = {"escalation_id": one, "by": "pane", "reason": _IN_PANE}
            lines[one] = frame_line(state.session_id, "GembaCancel", act)
        elif item is not None and item.resolution_id:
            lines[item.resolution_id] = give_up(state, item.resolution_id, _TOO_LATE)
    if state.status == "prompting" and state.turn.reported == "prompting":
        # Nothing was handed in, which alone would have said that the agent goes on.
        lines["status"] = _status(state.session_id, "working")
    return b"".join(lines.values()) or None


def _stop(*_: object) -> NoReturn:
    raise GembaError("the agent gave up waiting for an answer to its question")
