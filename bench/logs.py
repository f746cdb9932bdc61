"""Logs as agents at work write them, made fast: lines by the million.

A *cycle* is a template of lines that lacks only their event ids.
"""

import json
from pathlib import Path

FRAMES_PER_CYCLE = 20

# What tools read and write is mostly text of many lines.
_TEXT = json.dumps('    def connect(self, host: str) -> "Link":\n        return self.take(host)\n')[
    1:-1
]
_FILL = "<fill>"
_LARGE = 1000
_TOOL_INPUT = {"file_path": "/home/me/api/link.py", "content": _FILL}


def log_of(home: Path, session: str) -> Path:
    """The session's log in that home."""
    return home / "sessions" / f"{session}.jsonl"


def line(session: str, hook: str, payload: dict[str, object], size: int = 0) -> bytes:
    """A frame's line: `line % event(n)` gives it its id. Text fills it up to `size` bytes."""
    client = {} if hook.startswith("Gemba") else {"session_id": f"c-{session}"}
    frame = {
        "ts": "2026-11-20T09:14:07.482913Z",
        "session_id": session,
        "agent_type": "claude",
        "hook": hook,
        "event_id": "%016x",
        "payload": {**client, **payload},
    }
    text = json.dumps(frame, separators=(",", ":")) + "\n"
    missing = size - len(text % 0) + len(_FILL)
    # An escape that is cut in two would not be JSON.
    fill = (_TEXT * (missing // len(_TEXT) + 1))[: max(0, missing)].rstrip("\\")
    return text.replace(_FILL, fill.ljust(missing, "x")).encode()


def event(number: int) -> int:
    """An event id of its own for each number, as scattered as random ones."""
    return number * 0x9E3779B97F4A7C15 % (1 << 64)


def beginning(session: str) -> bytes:
    """The session has started and is at work: its events 0 and 1."""
    start = line(session, "SessionStart", {"source": "startup"})
    prompt = line(session, "UserPromptSubmit", {"prompt": "Add the tests, please."})
    return (start + prompt) % (event(0), event(1))


def tools_and_an_ask(session: str, size: int) -> bytes:
    """19 tool hooks and one ask, each a line of `size` bytes."""
    hooks = [_tool(session, _EITHER[number % 2], size) for number in range(FRAMES_PER_CYCLE - 1)]
    return b"".join(hooks) + ask(session, size)


def whole_turn(session: str, size: int) -> bytes:
    """A turn from its prompt to its end: tools, one of them with a permission, and an ask."""
    use = [_tool(session, hook, size) for hook in _EITHER]
    permission = _tool(session, "PermissionRequest", size)
    frames = [
        line(session, "UserPromptSubmit", {"prompt": _FILL}, size),
        *use * 6,
        use[0],
        permission,
        use[1],
        line(session, "GembaState", {"state": "working", "note": "at the tests"}),
        ask(session, size),
        line(session, "Notification", {"notification_type": "idle", "message": "Waiting"}),
        line(session, "Stop", {"stop_hook_active": False}),
    ]
    assert len(frames) == FRAMES_PER_CYCLE
    return b"".join(frames)


def ask(session: str, size: int = 0) -> bytes:
    """A question that lets the agent go on."""
    payload: dict[str, object] = {
        "kind": "question",
        "role": "coach",
        "text": _FILL if size else "Default to the test key, or fail hard?",
        "mode": "balanced",
    }
    return line(session, "GembaAsk", payload, size)


def write_cycles(path: Path, cycle: bytes, first: int, count: int) -> None:
    """Append the cycle `count` times, its events numbered from `first`."""
    with path.open("ab") as file:
        for start in range(first, first + count * FRAMES_PER_CYCLE, FRAMES_PER_CYCLE):
            file.write(cycle % tuple(map(event, range(start, start + FRAMES_PER_CYCLE))))


_EITHER = ("PreToolUse", "PostToolUse")


def _tool(session: str, hook: str, size: int) -> bytes:
    payload: dict[str, object] = {"tool_name": "Write", "tool_input": _TOOL_INPUT}
    if size >= _LARGE:
        payload = {
            "transcript_path": f"/home/me/.claude/projects/api/{session}.jsonl",
            "cwd": "/home/me/api",
            "permission_mode": "default",
            "hook_event_name": hook,
            **payload,
            "tool_use_id": "toolu_01ABCDEFGHJKMNPQRSTVWXYZ",
        }
        if hook == "PostToolUse":
            payload["tool_response"] = {"type": "update", "success": True, "lines": [12, 48]}
    return line(session, hook, payload, size)
