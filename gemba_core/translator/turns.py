"""The life of a session and of its turns: starts, ends, states, signs of life.

Source: wire.md, "Frames to changes".
"""

import msgspec
from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import EMPTY, Frame, strictly
from gemba_core.frame.vocabulary import ENDED, STATES
from gemba_core.translator.deliveries import landed
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step, canceled, voided
from gemba_core.translator.state import Client, Lead, SessionState, Turn, oldest_first


def with_status(state: SessionState, status: str, at: str) -> SessionState:
    """The state with that status, since then; a note was about the status before.

    A paused session stays suspended until it is resumed or ends, and has it then.
    """
    plane = state.plane
    if plane is not None and plane.paused and status not in ENDED:
        return replace(state, plane=replace(plane, beneath=status))
    if status == state.status:
        return state
    return replace(state, status=status, status_at=at, note=None)


def report(state: SessionState, frame: Frame) -> Step:
    """GembaState: the agent says how it is. Never changes an escalation."""
    given = strictly(frame.payload, shape.State)
    if given is None or given.state not in STATES:
        return dropped(state, frame, "malformed")
    if state.is_ended:
        return dropped(state, frame, "session_ended")
    state = with_status(state, given.state, frame.ts)
    state = replace(
        state,
        note=given.note,
        bead_id=given.bead_id or state.bead_id,
        turn=replace(state.turn, reported=given.state),
    )
    return state, ()


def lead(state: SessionState, frame: Frame) -> Step:
    """GembaSkill: a skill leads until the turn ends, a prompt comes, or another one leads."""
    given = strictly(frame.payload, shape.Skill)
    if given is None:
        return dropped(state, frame, "malformed")
    if state.is_ended:
        return dropped(state, frame, "session_ended")
    if state.client is not None and given.client not in (None, state.client.session_id):
        return state, ()  # it leads a child that inherited our session
    tools = None if given.tools is None else tuple(given.tools)
    return replace(state, lead=Lead(given.skill, tools)), ()


def start(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """SessionStart: binds the client; another one's is a child or a new incarnation."""
    if hook.source == "compact":
        return state, ()
    new = _client(frame, hook)
    old = state.client
    if old is None or old.ended or new.session_id == old.session_id:
        return _bound(state, frame, new), ()
    if hook.source in ("clear", "resume"):
        return _bound(state, frame, new), ()
    if _is_child(state, old, new):
        return state, ()
    state, closed = canceled(
        state, oldest_first(state.open), "transport_error", "translator", frame.ts
    )
    state, void = voided(state, "the agent was started anew", frame.ts)
    return _bound(state, frame, new), closed + void


def end(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """SessionEnd: `clear` and `resume` end nothing; the first terminal record wins."""
    if hook.reason in ("clear", "resume"):
        return state, ()
    if state.is_ended:
        return dropped(state, frame, "session_ended")
    failed = state.plane is not None and state.plane.ending == "failed"
    return ended(state, frame.ts, "failed" if failed else "completed")


def ended(state: SessionState, at: str, status: str) -> Step:
    """The session is over: nothing of it is open any more, and no answer will be read."""
    reason = state.requested_close or "provider_exit"
    state = replace(completed(state, at, status), close_reason=reason, requested_close=None)
    state, closed = canceled(landed(state), oldest_first(state.open), reason, "translator", at)
    state, void = voided(state, "the session ended", at)
    return state, closed + void


def completed(state: SessionState, at: str, status: str = "completed") -> SessionState:
    """The state of a session that has ended so, or never began."""
    client = state.client or Client("")
    return replace(
        with_status(state, status, at),
        reply_to=None,
        client=replace(client, ended=True),
        turn=replace(state.turn, open=False, reported=None),
        lead=None,
    )


def alive(state: SessionState, frame: Frame, hook: shape.Hook, *, begins: bool) -> Step:
    """A tool hook: the turn is alive. The beginning of a tool ends a reported pause."""
    turn = state.turn
    if not turn.open:
        turn = Turn(turn.number + 1, open=True, id=hook.turn_id)
    if begins and turn.reported is not None:
        turn = replace(turn, reported=None)
    if turn is not state.turn:
        state = replace(state, turn=turn)
    waits = state.status == "prompting" and (turn.reported == "prompting" or state.dialogs)
    return (state if waits else with_status(state, "working", frame.ts)), ()


def turn_end(state: SessionState, frame: Frame, hook: shape.Hook) -> Step:
    """Stop, StopFailure, Interrupt, AfterAgent: the turn ends, not the session."""
    if frame.hook == "Stop" and hook.background_tasks:
        return state, ()
    state, closed = decided_in_pane(state, frame)
    if frame.hook == "StopFailure":
        status = "stalled"
    elif state.turn.reported == "prompting" or state.is_blocked():
        status = "prompting"
    else:
        status = "ready"
    turn = replace(state.turn, open=False, reported=None)
    state = replace(landed(state), turn=turn, lead=None)
    return with_status(state, status, frame.ts), closed


def decided_in_pane(state: SessionState, frame: Frame) -> Step:
    """Whatever dialogs were up are gone: the person decided there, we do not know what."""
    if not state.dialogs:
        return state, ()
    dialogs = [item for item in oldest_first(state.open) if item.channel == "notification"]
    return canceled(state, dialogs, "decided_in_pane", "pane", frame.ts)


def _client(frame: Frame, hook: shape.Hook) -> Client:
    processes = None
    if frame.processes != EMPTY:
        processes = strictly(frame.processes, tuple[tuple[shape.Whole, shape.Whole], ...])
    address = _address(frame)
    server = address.tmux_server_pid if address else None
    return Client(hook.session_id or "", processes or (), server)


def _address(frame: Frame) -> shape.ReplyTo | None:
    return None if frame.reply_to == EMPTY else strictly(frame.reply_to, shape.ReplyTo)


def _bound(state: SessionState, frame: Frame, client: Client) -> SessionState:
    address = _address(frame)
    if address is not None and client.processes:
        address = replace(address, agent=client.processes[0])
    encoded = msgspec.json.encode(address).decode() if address else state.reply_to
    state = replace(
        state,
        client=client,
        agent_type=frame.agent_type or state.agent_type,
        reply_to=encoded,
        close_reason=None,
        requested_close=None,
        turn=replace(state.turn, open=False, reported=None),
        lead=None,
    )
    return with_status(state, "ready", frame.ts)


def _is_child(state: SessionState, old: Client, new: Client) -> bool:
    """Whether this client runs inside the bound one (it inherited the environment)."""
    if old.tmux_server and new.tmux_server and old.tmux_server != new.tmux_server:
        return False
    if old.processes and new.processes:
        if old.processes[0] in new.processes[1:]:
            return True
        if old.processes[0] != new.processes[0]:
            return False
    return state.turn.open
