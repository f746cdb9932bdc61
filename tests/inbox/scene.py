"""What agents and operators do, in this process: frames in logs, and the inbox's use-cases."""

import json
import os
from typing import Any

from gemba_core.frame.line import new_event_id
from gemba_core.home import log_path
from gemba_core.inbox import settle
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.find import find
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Resolution
from gemba_core.log import record

ANNA = Actor("anna", "cli")


def hook(name: str, session: str = "s1", *, agent_type: str = "", **payload: object) -> str:
    """Record a frame of that session as its agent or Gemba writes it; its event id."""
    event_id = new_event_id()
    record(session, name, payload, agent_type=agent_type, event_id=event_id, sync=False)
    return event_id


def ask(text: str = "Which colour?", session: str = "s1", **more: Any) -> str:
    """Record a question, unless `more` says otherwise; the escalation's id."""
    asked = {"kind": "question", "role": "manager", "mode": "balanced", "text": text}
    return hook("GembaAsk", session, **(asked | more))


def escalate(source: str, session: str = "s1") -> str:
    """Record that an agent's own program asks for a person; the escalation's id."""
    return hook("GembaEscalate", session, source=source, urgency="blocking", prompt="Go on?")


def answer(
    *ids: str,
    value: str | None = "blue",
    kind: str = "modify",
    nonce: str | None = None,
    actor: Actor = ANNA,
    always: bool = False,
) -> list[settle.Settled]:
    """Settle them with one decision, as every surface does."""
    return use_index(
        lambda index: settle.respond(
            index,
            list(ids),
            kind=kind,
            value=value,
            actor=actor,
            nonce=nonce or os.urandom(8).hex(),
            always=always,
        )
    )


def cancel(*ids: str, reason: str | None = None) -> None:
    """Close them without an answer."""
    use_index(lambda index: settle.cancel(index, list(ids), reason=reason, actor=ANNA))


def reopen(*ids: str) -> None:
    """Open them again."""
    use_index(lambda index: settle.reopen(index, list(ids), reason=None, actor=ANNA))


def shown(escalation_id: str) -> Escalation:
    """The escalation as the operator sees it now."""
    return use_index(lambda index: find(index, escalation_id))


def resolution(escalation_id: str) -> Resolution:
    """How it was decided; a test that asks for it expects that it was."""
    found = shown(escalation_id).resolution
    assert found is not None, f"{escalation_id} is not decided"
    return found


def delivery(escalation_id: str) -> tuple[str, str]:
    """The status of its delivery and the detail, both empty where there is none."""
    found = shown(escalation_id).delivery
    return (found.status, found.detail or "") if found else ("", "")


def log_bytes(session: str = "s1") -> bytes:
    """The session's log; empty where there is none."""
    try:
        with open(log_path(session), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def frames(name: str | None = None, session: str = "s1") -> list[dict[str, Any]]:
    """The complete frames of that hook (of all) in the session's log, decoded strictly."""
    complete = log_bytes(session).rpartition(b"\n")[0]
    found = [json.loads(line) for line in complete.split(b"\n") if line]
    return [frame for frame in found if name is None or frame["hook"] == name]


def payloads(name: str, session: str = "s1") -> list[dict[str, Any]]:
    """What those frames carry."""
    return [frame["payload"] for frame in frames(name, session)]
