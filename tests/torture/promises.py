"""What must be so after any process died at any step. Each function raises AssertionError."""

import os
from pathlib import Path
from typing import Any

from gemba_core.index import Index
from gemba_core.translator import SessionState
from tests.torture.world import Done, Json, Terminal, World, decoded

_CERTAIN = ("acknowledged", "submitted")
_HANDING_OVER = ("gemba-ask", "gemba-bridge")
_ROWS = (
    "SELECT name, offset, inode, checksum, skipping, bad_lines FROM logs",
    "SELECT l.name, b.offset, b.why FROM bad_lines b JOIN logs l ON l.id = b.log",
    "SELECT l.name, d.session_id, hook, reason, count, last_event_id"
    " FROM dropped d JOIN logs l ON l.id = d.log",
    "SELECT s.session_id, a.alias, a.event_id FROM aliases a JOIN sessions s ON s.id = a.session",
    "SELECT s.session_id, d.resolution_id, attempt, d.status, at, by, detail, lock"
    " FROM deliveries d JOIN sessions s ON s.id = d.session",
    "SELECT session_id, agent_type, status, status_at, note, bead_id, close_reason, reply_to,"
    " created_at FROM sessions",
)


def check_logs(world: World) -> None:
    """At most one torn line in each log, and the next append stands on a line of its own."""
    _logs_are_sound(world)
    _next_append_works(world)


def check(world: World, done: Done) -> None:
    """Nothing is lost or doubled in a world in which `done` is over, killed or not."""
    _asks_are_kept(world, done)
    _decided_once(world)
    _answers_arrive(world, done)
    _decided_once(world)
    index_is_as_rebuilt(world.home)


def index_is_as_rebuilt(home: Path) -> None:
    """The index, caught up, is the one that the logs alone give."""
    sessions = str(home / "sessions")
    fresh = home.parent / "fresh" / "index.db"
    kept = Index.use(str(home / "index.db"), sessions, _rows)
    rebuilt = Index.use(str(fresh), sessions, _rows)
    for path in fresh.parent.iterdir():
        os.unlink(path)
    assert kept == rebuilt, "the index is not as one that is rebuilt"


def _rows(index: Index) -> list[Any]:
    found: list[Any] = [
        sorted(map(repr, index.connection.execute(query).fetchall())) for query in _ROWS
    ]
    escalations = index.connection.execute(
        "SELECT s.session_id, e.* FROM escalations e JOIN sessions s ON s.id = e.session"
    )
    unlike = {"id", "session", "revision"}
    names = [column[0] for column in escalations.description]
    found.append(
        sorted(
            repr([value for name, value in zip(names, row, strict=True) if name not in unlike])
            for row in escalations
        )
    )
    states = index.connection.execute("SELECT state FROM sessions ORDER BY session_id")
    found.append([SessionState.decoded(row[0]) for row in states])
    return found


def _logs_are_sound(world: World) -> None:
    for path in world.logs():
        assert _broken(path) <= 1, f"{path.name}: more than one broken line"


def _next_append_works(world: World) -> None:
    for path in world.logs():
        frames = filter(None, map(decoded, path.read_bytes().split(b"\n")))
        session_id = next((frame["session_id"] for frame in frames), None)
        if session_id is None:
            continue
        before = _broken(path)
        probes = _probes(world, session_id)
        done = world.run("gemba-bridge", "Probe", session=session_id, stdin="{}")
        assert (done.code, done.stderr) == (0, ""), f"the next append: {done.stderr}"
        # Not "the last frame": an agent that has just been answered goes on to write its own.
        assert _probes(world, session_id) == probes + 1, "the next append is not there"
        assert _broken(path) == before, f"{path.name}: the next append broke a line"


def _probes(world: World, session_id: str) -> int:
    return sum(frame["hook"] == "Probe" for frame in world.frames(session_id))


def _broken(path: Path) -> int:
    """How many lines of that log are no frame; a torn last line is one."""
    return sum(bool(line) and decoded(line) is None for line in path.read_bytes().split(b"\n"))


def _asks_are_kept(world: World, done: Done) -> None:
    listed = [item["id"] for item in world.listed()]
    assert len(set(listed)) == len(listed), "an escalation is there twice"
    reported = {line for line in done.stdout.splitlines() if _is_id(line)}
    assert world.must | reported <= set(listed), "an escalation is lost"
    asked = [frame for frame in world.frames() if frame["hook"] == "GembaAsk"]
    keys = {(frame["session_id"], frame["payload"]["key"]) for frame in asked if _key(frame)}
    keyless = sum(not _key(frame) for frame in asked)
    assert len(listed) == keyless + len(keys), "the list has other escalations than the logs"
    aside = [path for path in world.home.glob("index.db.set-aside-*") if path.suffix != ".lock"]
    assert len({path.name.split("-wal")[0].split("-shm")[0] for path in aside}) <= world.is_spoilt


def _key(frame: Json) -> object:
    return frame["payload"].get("key")


def _is_id(line: str) -> bool:
    return len(line) == 16 and set(line) <= set("0123456789abcdef")


def _decided_once(world: World) -> None:
    frames = world.frames()
    for item in world.listed():
        decided = [frame for frame in frames if item["id"] in _decided(frame)]
        reopened = [frame for frame in frames if _is_act(frame, "GembaReopen", item["id"])]
        assert len(decided) <= 1 + len(reopened), f"{item['id']} was decided twice"


def _decided(frame: Json) -> list[str]:
    if frame["hook"] == "GembaResolve":
        ids: list[str] = frame["payload"]["escalation_ids"]
        return ids
    return [frame["payload"]["escalation_id"]] if frame["hook"] == "GembaCancel" else []


def _is_act(frame: Json, hook: str, escalation_id: str) -> bool:
    return bool(frame["hook"] == hook and frame["payload"]["escalation_id"] == escalation_id)


def _answers_arrive(world: World, done: Done) -> None:
    world.gemba("deliver")
    world.gemba("tick")
    world.gemba("deliver")
    for terminal in world.terminals.values():
        terminal.settle()
    for item in world.listed():
        if item["resolution"] is None or item["resolution"]["kind"] == "defer":
            continue
        terminal_of_it = world.terminals.get(item["session_id"])
        if terminal_of_it is None:
            _can_be_fetched(world, item, done)
        else:
            _typed_once_or_uncertain(world, terminal_of_it, item)
    for session_id, terminal in world.terminals.items():
        # From the log: what is on its way when an escalation is opened again still arrives.
        decided = [one for one in world.frames(session_id) if one["hook"] == "GembaResolve"]
        answers = {_answer(one["payload"]) for one in decided}
        assert set(terminal.submitted()) <= answers, "what was submitted is no answer"


def _answer(resolution: Json) -> str:
    """What reaches the agent."""
    word = {"approve": "yes", "deny": "no"}.get(resolution["kind"], "")
    return str(resolution.get("value") or word)


def _can_be_fetched(world: World, item: Json, done: Done) -> None:
    """The agent gets it, and got it twice only where the first time was shown as uncertain."""
    status, answer = item["delivery"]["status"], _answer(item["resolution"])
    is_printed = done.argv[0] in _HANDING_OVER and answer in done.stdout
    if status in ("collected", *_CERTAIN):
        assert is_printed, f"{status}, but never printed"
        return
    assert status in ("queued", "held", "uncertain"), f"an answer that nobody has: {status}"
    known = status == "uncertain" or world.blind
    assert known or not is_printed, "printed, and to be delivered again"
    again = ("gemba-ask", "--resume", item["id"], "--wait", "--timeout", "10s")
    fetched = world.run(*again, session=item["session_id"])
    expected = 7 if item["resolution"]["via"] == "policy" else 0
    assert (fetched.code, fetched.stdout) == (expected, f"{answer}\n"), (
        f"not fetched: {fetched.stderr}"
    )
    assert _delivery(world, item)["status"] == "collected"


def _typed_once_or_uncertain(world: World, terminal: Terminal, item: Json) -> None:
    answer = _answer(item["resolution"])
    status = _delivery(world, item)["status"]
    times = terminal.submitted().count(answer)
    attempts = 1 + _recorded(world, item, "queued")
    assert times <= 1 + world.blind, "an answer was submitted twice"
    assert terminal.typed(answer) <= attempts, "an answer was typed twice"
    assert _recorded(world, item, "claimed") <= attempts, "an answer was claimed twice"
    if status in _CERTAIN:
        assert times, f"{status}, but the program never got it"
        return
    assert status == "uncertain", f"neither arrived nor uncertain, but {status}"
    if times:
        assert terminal.kind == "line", "the agent's own hook reported it"
        return
    terminal.clear()
    world.gemba("escalations", "redeliver", item["id"])
    terminal.clear()
    assert terminal.submitted().count(answer) == 1, "redelivered, and not there"
    assert _delivery(world, item)["status"] in _CERTAIN


def _recorded(world: World, item: Json, status: str) -> int:
    """How often that status of a delivery stands in the log of this escalation's session."""
    frames = world.frames(item["session_id"])
    deliveries = [frame["payload"] for frame in frames if frame["hook"] == "GembaDelivery"]
    return sum(delivery["status"] == status for delivery in deliveries)


def _delivery(world: World, item: Json) -> Json:
    delivery: Json = next(one for one in world.listed() if one["id"] == item["id"])["delivery"]
    return delivery
