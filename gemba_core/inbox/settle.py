"""Deciding: respond, cancel, reopen. First come, first served, on every surface.

Each decision is a frame in the session's log, written only if the folded log
still allows it; several at once are all or nothing.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from gemba_core import home
from gemba_core.errors import AlreadySettled, GembaError, UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.frame.moment import ago
from gemba_core.frame.text import deliverable, one_line
from gemba_core.frame.vocabulary import APPROVALS, RESOLVED_AS
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.dialog import check
from gemba_core.inbox.find import as_it_stands, find_all
from gemba_core.index import Escalation, Index
from gemba_core.journal import Choose, Journal, append_all
from gemba_core.lifelock import is_held
from gemba_core.log import frame_line
from gemba_core.translator import SessionState
from gemba_core.translator import state as fold_state


@dataclass(frozen=True, slots=True)
class Settled:
    """A decision that is on the record: its delivery is due where `is_due`.

    `is_reopened`: it was there before, and all that it settled is open again since.
    """

    session_id: str
    resolution_id: str
    escalation_ids: tuple[str, ...]
    is_due: bool
    is_reopened: bool


def respond(
    index: Index,
    prefixes: list[str],
    *,
    kind: str,
    value: str | None,
    actor: Actor,
    nonce: str,
    always: bool = False,
) -> list[Settled]:
    """Settle these escalations with one decision, all or none.

    `kind` is approve, deny, modify (needs a value) or defer; `always` takes up
    the client's own suggestion with a permission. The same nonce twice for the
    same escalations is one decision, also where they were opened again in between. Raises NotFound,
    AlreadySettled, Refused, UsageError (also for a yes to several of which one
    is a permission or an approval), LogError; then nothing was written.
    """
    value = _checked(kind, value)
    found = find_all(index, prefixes)
    if kind in ("approve", "modify") or always:
        _check_alone(found)
    for item in found:
        actor.check(item)
        check(index, item, kind, always=always)

    together: dict[str, list[str]] = {}
    for item in found:
        if item.channel != "notification":
            together.setdefault(item.session_id, []).append(item.id)

    def resolution_id(session_id: str, item: Escalation | fold_state.Escalation) -> str:
        # One text answers several questions at once; each dialog needs a decision of its own.
        ids = [item.id] if item.channel == "notification" else together[session_id]
        return _digest(nonce, session_id, ids)

    def frame(session_id: str, items: list[fold_state.Escalation]) -> bytes:
        ids: dict[str, list[str]] = {}
        for item in items:
            ids.setdefault(resolution_id(session_id, item), []).append(item.id)
        return b"".join(line(session_id, one, named) for one, named in ids.items())

    def line(session_id: str, resolution: str, ids: list[str]) -> bytes:
        payload: dict[str, object] = {
            "escalation_ids": ids,
            "resolution_id": resolution,
            "kind": kind,
            "value": value,
            "resolved_by": actor.name,
            "nonce": nonce,
            "via": actor.via,
            "always": always or None,
        }
        return frame_line(session_id, "GembaResolve", payload)

    def is_done(state: SessionState, item: fold_state.Escalation) -> bool:
        if item.has_had(resolution_id(state.session_id, item)):
            return True
        if item.state != "open":
            raise NotAsExpected(state.session_id, item.id)
        return False

    append_each(index, found, is_done, frame)
    settled: dict[str, list[Escalation]] = {}
    for item in found:
        now = as_it_stands(index, item.session_id, item.id)
        settled.setdefault(resolution_id(item.session_id, item), []).append(now)
    return [_settled(one, items, kind) for one, items in settled.items()]


def cancel(index: Index, prefixes: list[str], *, reason: str | None, actor: Actor) -> None:
    """Close these without an answer, all or none. Raises as `respond`."""
    _act(index, prefixes, "GembaCancel", reason or "operator", actor, must_be_open=True)


def reopen(index: Index, prefixes: list[str], *, reason: str | None, actor: Actor) -> None:
    """Open settled ones again; an answer that nobody has taken yet is void. Raises as `respond`."""
    _act(index, prefixes, "GembaReopen", reason, actor, must_be_open=False)


def open_journal(index: Index, session_id: str) -> Journal:
    """The session's log from where the index stands."""
    state, position = index.folded(session_id) or (None, None)
    return Journal(session_id, state=state, position=position)


class NotAsExpected(Exception):
    """The log says that this escalation was settled, or opened again, by somebody else."""

    def __init__(self, session_id: str, escalation_id: str) -> None:
        super().__init__(escalation_id)
        self.session_id = session_id
        self.escalation_id = escalation_id


def _act(
    index: Index,
    prefixes: list[str],
    hook: str,
    reason: str | None,
    actor: Actor,
    *,
    must_be_open: bool,
) -> None:
    found = find_all(index, prefixes)
    for item in found:
        actor.check(item)

    def frame(session_id: str, items: list[fold_state.Escalation]) -> bytes:
        payload: dict[str, object] = {"by": actor.name, "reason": reason}
        return b"".join(
            frame_line(session_id, hook, {"escalation_id": item.id, **payload}) for item in items
        )

    def is_done(state: SessionState, item: fold_state.Escalation) -> bool:
        if (item.state == "open") != must_be_open:
            raise NotAsExpected(state.session_id, item.id)
        # Of an open one, an answer from before it was opened again is in nobody's way.
        answer = None if must_be_open else state.answers.get(item.resolution_id or "")
        if answer is not None and answer.lock and is_held(os.path.join(home.home(), answer.lock)):
            raise GembaError(f"{item.id}: its answer is on its way this moment; try again soon")
        return False

    append_each(index, found, is_done, frame)


def append_each(
    index: Index,
    found: list[Escalation],
    is_done: Callable[[SessionState, fold_state.Escalation], bool],
    frame: Callable[[str, list[fold_state.Escalation]], bytes],
) -> None:
    """Append `frame` to each session's log for those that are not done, or nothing at all."""
    by_session: dict[str, list[str]] = {}
    for item in found:
        by_session.setdefault(item.session_id, []).append(item.id)

    def choice(ids: list[str]) -> Choose:
        def choose(state: SessionState) -> bytes:
            items = [state.find(one) for one in ids]
            todo = [item for item in items if item is not None and not is_done(state, item)]
            return frame(state.session_id, todo) if todo else b""

        return choose

    with ExitStack() as stack:
        choices = [
            (stack.enter_context(open_journal(index, session_id)), choice(ids))
            for session_id, ids in by_session.items()
        ]
        try:
            append_all(choices)
        except NotAsExpected as conflict:
            index.catch_up()
            raise _conflict(index, conflict) from None
    index.catch_up(map(home.safe_id, by_session))


def _conflict(index: Index, conflict: NotAsExpected) -> AlreadySettled:
    """Who was first, when and how."""
    item = as_it_stands(index, conflict.session_id, conflict.escalation_id)
    if item.state == "open":
        return AlreadySettled(f"{item.id}: it is open; there is nothing to reopen", item)
    done = item.resolution
    if done is None:
        return AlreadySettled(f"{item.id}: already {item.state} ({item.reason})", item)
    value = f": {one_line(done.value)!r}" if done.value else ""
    who = f"{done.resolved_by} {ago(done.resolved_at)}"
    return AlreadySettled(
        f"{item.id}: already {RESOLVED_AS[done.kind]} by {who} (via {done.via}){value}; "
        f"`gemba escalations reopen {item.id}` opens it again",
        item,
    )


def _check_alone(found: list[Escalation]) -> None:
    """Raise UsageError for a yes to several of which one allows an act of its own."""
    for item in found:
        if item.source in APPROVALS and len(found) > 1:
            raise UsageError(
                f"{item.id}: what it allows is to be looked at by itself: decide it alone, "
                "or deny all of them; nothing was decided"
            )


def _settled(resolution_id: str, items: list[Escalation], kind: str) -> Settled:
    is_reopened = all(item.state == "open" for item in items)
    is_due = kind != "defer" and not is_reopened
    ids = tuple(item.id for item in items)
    return Settled(items[0].session_id, resolution_id, ids, is_due, is_reopened)


def _checked(kind: str, value: str | None) -> str | None:
    """The value as it is written. Raises UsageError."""
    if value is None:
        if kind == "modify":
            raise UsageError("the answer is empty; give a text, or approve, deny or defer")
        return None
    data = value.encode("utf-8", "surrogateescape")
    if len(data) > MAX_INPUT:
        raise UsageError("the answer is longer than 1 MiB; put it into a file and name the file")
    value = data.decode("utf-8", "replace")
    if not deliverable(value):
        raise UsageError("the answer is empty; give a text, or approve, deny or defer")
    return value


def _digest(nonce: str, session_id: str, escalation_ids: list[str]) -> str:
    """One decision, one id: the same nonce finds what it did before, to these escalations."""
    text = "\0".join((nonce, session_id, *sorted(escalation_ids)))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
