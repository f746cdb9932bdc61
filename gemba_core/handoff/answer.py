"""A person's answer to what is done next: the other half of each branch of spec 001's table.

Only `approve`, or an option taken word for word, is a consent; any other words
are words, and go to an agent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from gemba_core.errors import UsageError
from gemba_core.frame.origin import HANDOFF
from gemba_core.frame.text import deliverable
from gemba_core.handoff.question import (
    ACCEPT,
    AGAIN,
    CANCEL,
    EXECUTE,
    KEEP,
    MODIFY,
    REJECT,
    STOP,
    About,
    consent_to,
)

NextAction: TypeAlias = Literal[
    "resume", "dispatch", "run", "cancel", "close_incomplete", "persist", "discard"
]


@dataclass(frozen=True, slots=True)
class Next:
    """What to do now.

    action    resume: send `text` to the agent `agent_id`. dispatch: a new agent with `text`.
              run: the operation that `approval` grants. cancel: nothing, and nobody is resumed.
              close_incomplete: the task ends. persist, discard: `entry` is kept, or is not
    text      what an agent is told; else the person's own words, if there are any
    approval  the request that was consented to, with its `approval_id`
    entry     the suggestion, as its agent wrote it
    """

    action: NextAction
    agent_id: str | None = None
    text: str = ""
    approval: dict[str, Any] | None = None
    entry: dict[str, Any] | str | None = None


def about_of(escalation_id: str, detail: object) -> About:
    """What that escalation's detail says. Raises UsageError where no hand-off has raised it."""
    try:
        return msgspec.convert(detail, dict[str, About])[HANDOFF]
    except (msgspec.ValidationError, KeyError):
        raise UsageError(f"{escalation_id}: it was not raised by `gemba handoff raise`") from None


def after(about: About, kind: str, value: str | None) -> Next:
    """What follows from that answer: `kind` is approve, deny or modify, `value` its words."""
    return _PURPOSES[about.purpose](about, kind, deliverable(value or ""))


def _input(about: About, kind: str, words: str) -> Next:
    answer = words or ("yes" if kind == "approve" else "no")
    asked = f"\n\nYou had asked: {about.text}" if about.text else ""
    return Next("resume", about.agent_id, f"The operator's answer: {answer}{asked}")


def _plan(about: About, kind: str, words: str) -> Next:
    if kind == "deny" or words == CANCEL:
        return Next("cancel", text=words if kind == "deny" else "")
    if kind == "approve" or words == EXECUTE:
        note = f" The operator adds: {words}" if words not in ("", EXECUTE) else ""
        text = f"Approved: execute it exactly as you presented it ({about.text}).{note}"
        return Next("resume", about.agent_id, text, about.approval)
    if words == MODIFY:
        text = "Not approved as it stands, and not said why: change it, and present it again."
    else:
        text = f"Not approved as it stands. Change it, and present it again: {words}"
    return Next("resume", about.agent_id, text)


def _consent(about: About, kind: str, words: str) -> Next:
    assert about.approval is not None
    approval_id = str(about.approval["approval_id"])
    if kind == "approve" or words == consent_to(approval_id):
        note = words if kind == "approve" else ""
        return Next("run", about.agent_id, note, about.approval)
    if kind == "deny" or words == REJECT:
        return Next("cancel", text=words if kind == "deny" else "")
    text = f"{approval_id} is not approved: do not run it. The operator says: {words}"
    return Next("resume", about.agent_id, text)


def _blocker(about: About, kind: str, words: str) -> Next:
    if words in ("", ACCEPT):
        return Next("close_incomplete")
    text = f"The operator directs: {words}\n\nAn agent before you was blocked by:\n{about.text}"
    return Next("dispatch", text=text)


def _stall(about: About, kind: str, words: str) -> Next:
    if kind == "deny" or words == STOP:
        return Next("close_incomplete", text=words if kind == "deny" else "")
    if words in ("", AGAIN):
        return Next("resume", about.agent_id, about.text)
    return Next("resume", about.agent_id, f"The operator says: {words}\n\n{about.text}")


def _memory(about: About, kind: str, words: str) -> Next:
    is_yes = kind == "approve" or (kind == "modify" and words.lower() == KEEP)
    words = "" if words.lower() in (KEEP, "no") else words
    return Next("persist" if is_yes else "discard", None, words, entry=about.entry)


_PURPOSES: dict[str, Callable[[About, str, str], Next]] = {
    "input": _input,
    "plan": _plan,
    "consent": _consent,
    "blocker": _blocker,
    "stall": _stall,
    "memory": _memory,
}
