"""Frames and logs, briefly: a builder for each hook, and what the fold makes of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gemba_core.frame.line import encode, members_of, new_event_id
from gemba_core.frame.record import Frame, decode
from gemba_core.translator import Change, SessionState, translate
from gemba_core.translator.change import Dropped
from gemba_core.translator.state import Answer, Escalation

SESSION = "s"
CLIENT = "client-1"
AT = "2030-01-02T03:04:05.000006Z"

C = TypeVar("C")


def id_of(number: int) -> str:
    """An event id that is told apart at a glance."""
    return f"{number:016x}"


def frame(
    hook: str,
    payload: Mapping[str, object] | None = None,
    *,
    id: int | str | None = None,
    session: str = SESSION,
    agent_type: str = "claude",
    at: str = AT,
    beside: dict[str, object] | None = None,
) -> bytes:
    """One line of a log. Payload keys that are None are left out; `beside` stands beside it."""
    given = {key: value for key, value in (payload or {}).items() if value is not None}
    more = b"," + json.dumps(beside).encode()[1:-1] if beside else b""
    return encode(
        hook,
        members_of(given) + more,
        session_id=session,
        agent_type=agent_type,
        event_id=id_of(id) if isinstance(id, int) else new_event_id() if id is None else id,
        ts=at,
    )


def decoded(line: bytes) -> Frame:
    """The frame in that line."""
    found = decode(line.removesuffix(b"\n"))
    assert found is not None, line
    return found


def ask(id: int, text: str | None = "Which?", *, session: str = SESSION, **more: object) -> bytes:
    """GembaAsk: a coach's question in balanced mode, unless `more` says otherwise."""
    payload = {"kind": "question", "role": "coach", "text": text, "mode": "balanced"} | more
    return frame("GembaAsk", payload, id=id, session=session)


def blocker(id: int, **more: object) -> bytes:
    """GembaAsk: a manager's blocker."""
    return ask(id, "I need a key.", kind="blocker", role="manager", session=SESSION, **more)


def escalate(id: int, **more: object) -> bytes:
    """GembaEscalate."""
    return frame(
        "GembaEscalate",
        {"source": "hitl_approval", "urgency": "blocking", "prompt": "Go on?"} | more,
        id=id,
    )


def report(state: str, **more: object) -> bytes:
    """GembaState."""
    return frame("GembaState", {"state": state} | more)


def resolve(
    *ids: int,
    resolution: str = "r1",
    kind: str = "modify",
    value: str | None = "blue",
    session: str = SESSION,
    at: str = AT,
) -> bytes:
    """GembaResolve: answered with "blue" unless said otherwise."""
    payload = {
        "escalation_ids": [id_of(id) for id in ids],
        "resolution_id": resolution,
        "kind": kind,
        "value": value,
        "resolved_by": "ann",
        "nonce": "n",
        "via": "cli",
    }
    return frame("GembaResolve", payload, session=session, agent_type="", at=at)


def act(hook: str, id: int, **more: object) -> bytes:
    """GembaReopen, GembaCancel, GembaClaim, GembaRelease, by ann."""
    return frame(hook, {"escalation_id": id_of(id), "by": "ann"} | more, agent_type="")


def plane(what: str, op: str | None = None, **more: object) -> bytes:
    """GembaReservation, GembaWorkspace, GembaSession, GembaCost."""
    given = {"reservation_id": SESSION, "agent_id": "codex"} if what == "Reservation" else {}
    return frame(f"Gemba{what}", {"op": op} | given | more, agent_type="")


def delivery(
    status: str, *, resolution: str = "r1", attempt: int = 1, session: str = SESSION, **more: object
) -> bytes:
    """GembaDelivery."""
    payload = {"resolution_id": resolution, "attempt": attempt, "status": status, "by": "gemba"}
    return frame("GembaDelivery", payload | more, session=session, agent_type="")


def hook(
    name: str, *, client: str | None = CLIENT, agent_type: str = "claude", **more: object
) -> bytes:
    """A hook of an agent's own."""
    return frame(name, {"session_id": client} | more, agent_type=agent_type)


def start(
    source: str = "startup",
    *,
    client: str = CLIENT,
    processes: list[tuple[int, int]] | None = None,
    server: int | None = None,
    agent_type: str = "claude",
) -> bytes:
    """SessionStart, with the caller's processes and the tmux server where given."""
    beside: dict[str, object] = {}
    if processes is not None:
        beside["processes"] = processes
    if server is not None:
        beside["reply_to"] = address(server)
    payload: dict[str, object] = {"session_id": client, "source": source}
    return frame("SessionStart", payload, agent_type=agent_type, beside=beside)


def address(server: int = 7) -> dict[str, object]:
    """A return address on that tmux server."""
    return {"tmux_socket": "/tmp/tmux", "tmux_server_pid": server, "tmux_pane": "%1"}


def prompt(text: str | None, *, client: str | None = CLIENT, turn: str | None = None) -> bytes:
    """UserPromptSubmit."""
    return hook("UserPromptSubmit", client=client, prompt=text, turn_id=turn)


def permission(
    id: int,
    tool: str = "Bash",
    tool_input: object = None,
    *,
    agent_type: str = "claude",
    client: str | None = CLIENT,
) -> bytes:
    """PermissionRequest; asks to run `ls` unless said otherwise."""
    shown = {"command": "ls"} if tool_input is None else tool_input
    payload = {"session_id": client, "tool_name": tool, "tool_input": shown}
    return frame("PermissionRequest", payload, id=id, agent_type=agent_type)


def notification(kind: str, *, id: int = 0xF0, agent_type: str = "claude") -> bytes:
    """Notification."""
    payload: dict[str, object] = {"notification_type": kind, "message": "Look here"}
    return frame("Notification", payload, id=id, agent_type=agent_type)


@dataclass(frozen=True)
class Told:
    """What the fold made of some lines: the state after them, and all changes in order."""

    state: SessionState
    changes: tuple[Change, ...]

    def then(self, *lines: bytes) -> "Told":
        """What it makes of further lines; their changes alone."""
        state = self.state
        changes: list[Change] = []
        for line in lines:
            state, some = translate(state, decoded(line))
            changes += some
        return Told(state, tuple(changes))

    def of(self, kind: type[C]) -> list[C]:
        """The changes of that kind."""
        return [change for change in self.changes if isinstance(change, kind)]

    @property
    def drops(self) -> list[str]:
        """The reasons of the frames that were dropped."""
        return [change.reason for change in self.of(Dropped)]

    @property
    def open(self) -> set[str]:
        """The ids of the open escalations."""
        return set(self.state.open.keys())

    def escalation(self, id: int) -> Escalation:
        """That escalation, open or closed."""
        found = self.state.find(id_of(id))
        assert found is not None
        return found

    def answer(self, resolution: str = "r1") -> Answer:
        """That answer, which the agent has not reported yet."""
        return self.state.answers[resolution]


def told(*lines: bytes) -> Told:
    """What the fold makes of a log that holds these lines, all of one session."""
    return Told(SessionState(decoded(lines[0]).session_id), ()).then(*lines)


def write_log(path: Path, *lines: bytes) -> Path:
    """A log of these lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines))
    return path
