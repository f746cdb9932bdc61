"""Logs in which every part of a session's memory matters at some later line."""

import hashlib

from gemba_core.frame.line import timestamp
from tests.builders import (
    AT,
    CLIENT,
    act,
    address,
    ask,
    blocker,
    delivery,
    escalate,
    frame,
    hook,
    notification,
    permission,
    plane,
    prompt,
    report,
    resolve,
    start,
)


def _echo(text: str) -> bytes:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return frame("GembaEcho", {"text_sha256": digest, "length": len(text)})


# Several frames of each kind, so that one forgotten between two of them shows.
_LINES = [
    ask(0xF1, reply_to=address()),
    start(processes=[(10, 1)], server=7),
    prompt("go"),
    frame("GembaSkill", {"skill": "tdd", "tools": ["Bash"], "client": CLIENT}),
    hook("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}),
    report("working", bead_id="gm-1", note="on it"),
    ask(1, "Which colour?", key="colour", options=[{"value": "blue", "label": "Blue"}]),
    ask(2, "Which colour, I said?", key="colour"),
    blocker(3, deadline="2031-01-01T00:00:00Z", on_expiry="cancel"),
    prompt("red?"),
    b"no frame at all\n",
    start(client="child", processes=[(20, 2), (10, 1)], server=7),
    prompt("blue", client="child"),
    permission(4),
    permission(5, "Edit", {"file_path": "x"}),
    hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}),
    report("prompting"),
    hook("Stop"),
    act("GembaClaim", 1, until="2031-01-01T00:00:00Z"),
    resolve(2, value="blue"),
    resolve(1, resolution="r2", value="late"),
    _echo("typed by us"),
    _echo("typed by us"),
    prompt("typed by us"),
    delivery("held", detail="busy"),
    delivery("claimed", lock="panes/x.lock"),
    delivery("held"),
    hook("Stop"),
    delivery("typed", lock="panes/x.lock"),
    prompt("so: blue"),
    b"\n",
    hook("Stop"),
    resolve(3, resolution="r3", kind="approve", value=None),
    act("GembaReopen", 3),
    prompt("typed by us"),
    act("GembaCancel", 3, reason="moot"),
    escalate(6, source="a2a_input_required", detail={"deep": [1, 2]}),
    notification("elicitation_dialog", id=7),
    notification("elicitation_complete", id=8),
    hook("StopFailure"),
    act("GembaReopen", 3, reason="not moot"),
    prompt("the last word"),
    plane("Reservation", "claimed"),
    plane("Workspace", "acquired", workspace={"id": "w"}),
    plane("Session", "start", nonce="n1", lock="scopes/x.lock"),
    plane("Cost", tokens=5, wallclock_seconds=1.5),
    plane("Session", "pause", nonce="n2"),
    plane("Session", "resume", nonce="n3"),
    plane("Session", "end", nonce="n4", close_reason="user_stop"),
    ask(9, session="elsewhere"),
    ask(10, "Last?"),
    resolve(10, resolution="r4"),
    delivery("claimed", resolution="r4"),
    delivery("uncertain", resolution="r4"),
    delivery("queued", resolution="r4", attempt=2),
    hook("SessionEnd", reason="logout"),
    hook("SessionEnd", reason="logout"),
    hook("PreToolUse"),
    ask(12, "Anybody there?"),
    start("resume", client="client-2"),
    ask(11),
    hook("PreToolUse", client="client-2"),
]

# Each at a time of its own.
WORK = [
    line.replace(AT.encode(), timestamp(number * 1_000_000_000).encode())
    for number, line in enumerate(_LINES, 1_900_000_000)
]
