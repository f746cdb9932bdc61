"""What Hypothesis makes: payloads, frames and logs from a world small enough for them to meet."""

import json

from hypothesis import strategies as st

from tests.builders import frame, id_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
# Python writes NaN, Infinity and lone surrogates where it is asked to; so do careless agents.
CARELESS_JSON = JSON.map(lambda value: json.dumps(value).encode())
PLAIN_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    # Nothing here but what a JSON text can hold.
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
PAYLOADS = st.dictionaries(TEXT, PLAIN_JSON, max_size=4)

# Two of these share a file: "a/b" and "a_b".
SESSIONS = ("a/b", "a_b")
_IDS = st.sampled_from([id_of(number) for number in range(1, 5)])
_RESOLUTIONS = st.sampled_from(["r1", "r2"])
_TEXTS = st.sampled_from(["blue", "no", "please: blue", " \r\n", "green"])
_MAYBE_TEXT = st.none() | _TEXTS
_CLIENTS = st.sampled_from([None, "c1", "c2"])
_TURNS = st.sampled_from([None, "t1", "t2"])
_TOOLS = st.sampled_from([None, "Bash", "Edit"])
_INPUTS = st.sampled_from([None, {"command": "ls"}, {"command": "ls", "description": "look"}, "x"])
_PROCESSES = st.sampled_from([None, [[1, 10]], [[2, 20]], [[2, 20], [1, 10]]])
_SERVERS = st.sampled_from([None, 7, 8])


def _of(hook: str, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[str, object]]:
    return st.tuples(st.just(hook), st.fixed_dictionaries(fields))


def _some(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from(values)


_OWN = [
    _of(
        "GembaAsk",
        kind=_some("question", "question", "blocker", "wish"),
        role=_some("coach", "manager"),
        text=_TEXTS,
        mode=_some("balanced", "cautious", "dangerous", "odd"),
        key=_some(None, None, "k"),
        bead_id=_some(None, "gm-1"),
    ),
    _of(
        "GembaEscalate",
        source=_some("hitl_approval", "permission_prompt", "mcp_elicitation"),
        urgency=_some("blocking", "advisory"),
        prompt=_TEXTS,
        role=_some(None, "manager", "coach", "boss"),
        key=_some(None, None, "k"),
    ),
    _of(
        "GembaState",
        state=_some("initializing", "ready", "working", "prompting", "stalled", "odd"),
        note=_MAYBE_TEXT,
        bead_id=_some(None, "gm-2"),
    ),
    _of(
        "GembaSkill",
        skill=st.just("tdd"),
        tools=_some(None, [], ["Read"], "Read"),
        client=_CLIENTS,
    ),
    _of(
        "GembaResolve",
        escalation_ids=st.lists(_IDS, max_size=3),
        resolution_id=_RESOLUTIONS,
        kind=_some("approve", "deny", "modify", "modify", "defer"),
        value=_MAYBE_TEXT,
        resolved_by=st.just("ann"),
        nonce=st.just("n"),
        via=st.just("cli"),
    ),
    *(
        _of(name, escalation_id=_IDS, by=st.just("ann"), reason=_some(None, "expired", "moot"))
        for name in ("GembaReopen", "GembaCancel", "GembaClaim", "GembaRelease")
    ),
    _of(
        "GembaDelivery",
        resolution_id=_RESOLUTIONS,
        attempt=_some(1, 1, 2, 3),
        status=_some(
            *("queued", "held", "claimed", "typed", "submitted"),
            *("uncertain", "failed", "acknowledged", "collected"),
        ),
        by=_some("gemba", "gemba", "hook"),
        lock=_some(None, "panes/x.lock"),
    ),
    _of("GembaEcho", text_sha256=st.just("0" * 64), length=st.just(4)),
    _of("GembaSession", close_reason=_some(None, "user_stop")),
    *(
        _of(
            "GembaSession",
            op=_some("start", "pause", "resume", "end", "ended", "adopt", "odd"),
            nonce=_some("a", "b", None),
            mode=_some(None, "failed", "completed"),
            close_reason=_some(None, "user_stop"),
            lock=_some(None, "scopes/x.lock"),
        )
        for _ in range(2)
    ),
    _of(
        "GembaReservation",
        op=_some("claimed", "claimed", "released", "odd"),
        reservation_id=st.just("s"),
        agent_id=st.just("a"),
        work_item_id=_some(None, "gm-3"),
    ),
    _of(
        "GembaWorkspace",
        op=_some("acquired", "released", "conflict"),
        workspace=_some({}, {"id": "w"}),
    ),
    _of("GembaCost", tokens=_some(None, 5), wallclock_seconds=_some(None, 1.5)),
]
_AGENTS = [
    _of("SessionStart", session_id=_CLIENTS, source=_some("startup", "resume", "clear", "compact")),
    _of("SessionEnd", session_id=_CLIENTS, reason=_some("clear", "logout")),
    *(
        _of(name, session_id=_CLIENTS, prompt=_MAYBE_TEXT, turn_id=_TURNS)
        for name in ("UserPromptSubmit", "BeforeAgent")
    ),
    *(
        _of(name, session_id=_CLIENTS, tool_name=_TOOLS, tool_input=_INPUTS, turn_id=_TURNS)
        for name in ("PreToolUse", "PostToolUse", "PermissionRequest", "PermissionRequest")
    ),
    *(
        _of(name, session_id=_CLIENTS, background_tasks=_some([], [{"id": 1}]))
        for name in ("Stop", "StopFailure", "AfterAgent", "Interrupt", "PreCompact")
    ),
    _of(
        "Notification",
        session_id=_CLIENTS,
        notification_type=_some(
            *("elicitation_dialog", "elicitation_complete", "permission_prompt", "idle_prompt")
        ),
    ),
]


@st.composite
def _frames(draw: st.DrawFn) -> bytes:
    name, payload = draw(st.one_of(*_OWN, *_AGENTS))
    beside: dict[str, object] = {}
    if name == "SessionStart":
        processes, server = draw(_PROCESSES), draw(_SERVERS)
        if processes is not None:
            beside["processes"] = processes
        if server is not None:
            beside["reply_to"] = {
                "tmux_socket": "/tmp/t",
                "tmux_server_pid": server,
                "tmux_pane": "%1",
            }
    assert isinstance(payload, dict)
    return frame(
        name,
        payload,
        id=draw(st.integers(1, 6)),
        session=draw(st.sampled_from([*SESSIONS, SESSIONS[0], "elsewhere"])),
        agent_type=draw(st.sampled_from(["codex", "codex", "gemini"])),
        beside=beside,
    )


FRAMES = _frames()
# What a log may hold besides: torn lines, other programs' lines, frames of odd shapes.
BAD_LINES = st.binary(max_size=20).map(lambda data: b"\xff" + data.replace(b"\n", b" ") + b"\n")
ODD_FRAMES = st.builds(
    lambda name, payload, id: frame(name, payload, id=id, session=SESSIONS[0]),
    st.sampled_from(["GembaAsk", "GembaResolve", "GembaDelivery", "SessionStart", "Stop", "New"]),
    PAYLOADS,
    st.integers(1, 6),
)
LINES = st.one_of(FRAMES, FRAMES, FRAMES, FRAMES, ODD_FRAMES, BAD_LINES, st.just(b"\n"))
LOGS = st.lists(LINES, min_size=1, max_size=12)
"""Lines of the log `a_b`, most of them frames, in any order."""
