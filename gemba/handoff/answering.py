"""Waiting for the answers to what was raised, and printing what to do next."""

import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

import msgspec

from gemba.output import warn
from gemba_core.handoff.answer import Next, about_of, after
from gemba_core.handoff.said import exactly, said
from gemba_core.handover import write_out
from gemba_core.waiting import Ending, Outcome, Waiting

BY = "gemba handoff"
_EXIT_CODES: dict[Ending, int] = {
    "answered": 0,
    "denied": 0,
    "unanswered": 4,
    "deferred": 5,
    "canceled": 6,
    "expired": 6,
    "defaulted": 6,
}
_DECIDED = ("answered", "denied")


def print_next(waits: Sequence[Waiting], patience: float, *, as_json: bool) -> NoReturn:
    """Print what follows from each answer, as soon as it and those before it are there.

    Waits `patience` seconds for all of them together, and exits by the first that has no
    answer. Raises GembaError where an answer cannot be printed; it is then kept.
    """
    deadline = time.monotonic() + patience
    code = 0
    for one in waits:
        left = max(0.0, deadline - time.monotonic())
        outcome = one.until_settled(left, partial(_print, one, as_json=as_json))
        code = code or _EXIT_CODES[outcome.ended]
        warn(_notes(one.id, outcome))
    sys.exit(code)


def _print(one: Waiting, outcome: Outcome, *, as_json: bool) -> None:
    follows = _next(one, outcome)
    if as_json:
        write_out(msgspec.json.encode(_plain(one, outcome, follows)) + b"\n")
    elif follows is not None:
        write_out(_words(follows).encode("utf-8", "replace"))


def _next(one: Waiting, outcome: Outcome) -> Next | None:
    resolution = outcome.resolution
    if resolution is None or outcome.ended not in _DECIDED:
        return None
    about = about_of(one.id, one.journal.opened[one.id].detail)
    return after(about, resolution.kind, resolution.value)


def _words(follows: Next) -> str:
    """What to do, and below a line what an agent is told or what is run."""
    text, approval = follows.text, follows.approval or {}
    said_so = f" The operator says: {said(text)}" if text else ""
    if follows.action == "resume":
        return f"Resume the same agent, {follows.agent_id or 'the one that asked'}, with:\n{text}\n"
    if follows.action == "dispatch":
        return f"Dispatch a new agent with:\n{text}\n"
    if follows.action == "run":
        what = exactly(approval.get("exact_content"))
        return f"Run what {approval['approval_id']} grants, and nothing else.{said_so}\n{what}\n"
    if follows.action == "cancel":
        return f"Canceled: run nothing, and resume nobody.{said_so}\n"
    if follows.action == "close_incomplete":
        return f"Close the task as incomplete.{said_so}\n"
    if follows.action == "persist":
        return f"Remember this.{said_so}\n{said(follows.entry)}\n"
    return f"Do not remember this.{said_so}\n{said(follows.entry)}\n"


def _plain(one: Waiting, outcome: Outcome, follows: Next | None) -> dict[str, object]:
    resolution = outcome.resolution
    return {
        "id": one.id,
        "session_id": one.journal.session_id,
        "ended": outcome.ended,
        "kind": resolution.kind if resolution else None,
        "resolved_by": resolution.by if resolution else None,
        "via": resolution.via if resolution else None,
        "taken_before": outcome.ended in _DECIDED and outcome.answer is None,
        "next": follows,
    }


def _notes(escalation_id: str, outcome: Outcome) -> list[str]:
    if outcome.ended == "unanswered":
        return [
            f"{escalation_id}: not answered yet; it stays open: "
            f"`gemba handoff next {escalation_id} --wait` takes it up again"
        ]
    if outcome.ended not in _DECIDED:
        return [f"{escalation_id}: {outcome.ended}, which is no answer: consent to nothing by it"]
    if outcome.answer is None:
        return [
            f"{escalation_id}: you were given this answer before, here or in your pane; "
            "act on it only once"
        ]
    return []
