"""GembaAsk, GembaEscalate: what an agent, or Gemba in its name, asks."""

from sys import intern

import msgspec
from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import Frame, strictly
from gemba_core.frame.text import one_line
from gemba_core.frame.vocabulary import (
    DEFAULT_MODE,
    KINDS,
    MODES,
    ROLES,
    SOURCES,
    URGENCIES,
    may_ask,
    urgency,
)
from gemba_core.translator.change import AskedAgain, Opened
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step, opened, unusable_id
from gemba_core.translator.state import Escalation, SessionState


def ask(state: SessionState, frame: Frame) -> Step:
    """GembaAsk: opened by the matrix, folded into an open one of equal key, or dropped."""
    given = strictly(frame.payload, shape.Ask)
    if given is None or given.kind not in KINDS or given.role not in ROLES:
        return dropped(state, frame, "malformed")
    headline = one_line(given.text)
    if not headline:
        return dropped(state, frame, "empty_text")
    if not may_ask(given.role, given.kind):
        return dropped(state, frame, "role_forbids")
    mode = given.mode if given.mode in MODES else DEFAULT_MODE
    pressing = urgency(mode, given.kind)
    if pressing is None:
        return dropped(state, frame, "mode_forbids")
    problem = unusable_id(state, frame.event_id)
    if problem:
        return dropped(state, frame, problem)
    same = open_with_key(state, given.key)
    if same is not None:
        return _asked_again(state, frame, same)
    item = Escalation(
        frame.event_id,
        state.count + 1,
        intern(given.kind),
        "tool_call",
        pressing,
        given.key or None,
        state.turn.number if state.turn.open else None,
    )
    state, address = _addressed(state, given.reply_to)
    if given.bead_id:
        state = replace(state, bead_id=given.bead_id)
    if state.status == "initializing":
        state = replace(state, status="working", status_at=frame.ts)
    return opened(
        state,
        item,
        Opened(
            item.id,
            item.number,
            item.source,
            item.channel,
            pressing,
            (given.title and one_line(given.title)) or headline,
            given.text,
            frame.ts,
            frame.agent_type,
            given.kind,
            given.role,
            mode,
            state.bead_id,
            given.key,
            _options(given.options),
            given.deadline,
            given.on_expiry,
            address,
        ),
    )


def escalate(state: SessionState, frame: Frame) -> Step:
    """GembaEscalate: opened as it says, or folded into an open one of equal key."""
    given = strictly(frame.payload, shape.Escalate)
    if given is None or given.source not in SOURCES or given.urgency not in URGENCIES:
        return dropped(state, frame, "malformed")
    if given.role is not None and given.role not in ROLES:
        return dropped(state, frame, "malformed")
    headline = one_line(given.prompt)
    if not headline:
        return dropped(state, frame, "empty_text")
    if given.role is not None and not may_ask(given.role, given.source):
        return dropped(state, frame, "role_forbids")
    problem = unusable_id(state, frame.event_id)
    if problem:
        return dropped(state, frame, problem)
    same = open_with_key(state, given.key)
    if same is not None:
        return _asked_again(state, frame, same)
    state, address = _addressed(state, given.reply_to)
    item = Escalation(
        frame.event_id,
        state.count + 1,
        given.source,
        "tool_call",
        given.urgency,
        given.key or None,
        state.turn.number if state.turn.open else None,
    )
    return opened(
        state,
        item,
        Opened(
            item.id,
            item.number,
            item.source,
            item.channel,
            item.urgency,
            (given.title and one_line(given.title)) or headline,
            given.prompt,
            frame.ts,
            frame.agent_type,
            role=given.role,
            bead_id=given.bead_id or state.bead_id,
            key=given.key,
            options=_options(given.options),
            reply_to=address,
            detail=given.detail,
        ),
    )


def open_with_key(state: SessionState, key: object) -> Escalation | None:
    """The open escalation that an ask with that key is folded into."""
    if not key:
        return None
    return next((item for item in state.open.values() if item.key == key), None)


def _asked_again(state: SessionState, frame: Frame, same: Escalation) -> Step:
    aliases = state.aliases.set(frame.event_id, same.id)
    return replace(state, aliases=aliases), (AskedAgain(same.id, frame.event_id, frame.ts),)


def _options(options: list[shape.Option]) -> tuple[tuple[str, str], ...]:
    if not options:
        return ()
    return tuple((option.value, option.label or option.value) for option in options)


def _addressed(
    state: SessionState, reply_to: shape.ReplyTo | None
) -> tuple[SessionState, str | None]:
    """The state with the ask's address as the session's, and the one that the answer goes to."""
    address = _address(state, reply_to)
    if address is not None and state.client is None:
        # A bound client's own address stands: a child may ask in its name.
        state = replace(state, reply_to=address)
    return state, address or state.reply_to


def _address(state: SessionState, reply_to: shape.ReplyTo | None) -> str | None:
    """The ask's own; the session's where a sandbox hid from the ask which process asks there."""
    if reply_to is None:
        return None
    if reply_to.agent is None and state.reply_to is not None:
        known = msgspec.json.decode(state.reply_to, type=shape.ReplyTo)
        if replace(known, agent=None) == reply_to:
            return state.reply_to
    return msgspec.json.encode(reply_to).decode()
