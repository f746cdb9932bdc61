"""What is done and killed: each operation with its preparation, and what is done again after it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.torture.world import Started, World
from tests.waiting import wait_until

SESSION = "torture"
OTHERS = ("torture/1", "torture/2", "torture/3")
TEXT = "use the test key"
_KEYED = ("--kind", "question", "--role", "coach", "--text", "Which key?", "--key", "k")
_NONCE = ("--nonce", "n-1")
_FULL = 8192
_HOOK = '{"session_id": "client", "tool_name": "Bash"}'


def _nothing(world: World) -> None:
    """Nothing to prepare, or to do again."""


def _no_one(world: World, started: Started) -> None:
    """Nobody does anything meanwhile."""


@dataclass(frozen=True)
class Operation:
    """A command that may die at any of its steps.

    prepare    the world before it
    argv       the command; `in_session` inside the agent's session, else as the operator
    steps      names of steps that it must have, so that none is missed by a slip of the harness
    code       its exit code where nobody kills it
    meanwhile  what somebody else does while it runs
    again      what its caller does when it was killed, and what must be so then
    how        how the run itself is set up (see `crash.Run`)
    """

    name: str
    argv: Callable[[World], tuple[str, ...]]
    prepare: Callable[[World], None] = _nothing
    in_session: bool = False
    steps: frozenset[str] = frozenset()
    code: int = 0
    meanwhile: Callable[[World, Started], None] = _no_one
    again: Callable[[World], None] = _nothing
    how: Mapping[str, Any] = field(default_factory=dict)

    def start(self, world: World, **how: Any) -> Started:
        """Start it in that world."""
        session = SESSION if self.in_session else None
        return world.start(*self.argv(world), session=session, **self.how, **how)


def _asks(world: World) -> list[str]:
    return [frame["event_id"] for frame in world.frames(SESSION) if frame["hook"] == "GembaAsk"]


def _asked_again(world: World) -> None:
    done = world.run("gemba-ask", *_KEYED, session=SESSION)
    assert done.code == 0, done.stderr
    keyed = [item["id"] for item in world.listed() if item["prompt"] == "Which key?"]
    assert keyed == done.stdout.splitlines()[:1], "asked again with a key, it is another one"


def _answer_it(world: World, started: Started) -> None:
    wait_until(lambda: _asks(world) or started.running.is_over(), timeout=30, what="the ask")
    if _asks(world):
        world.gemba("escalations", "respond", _asks(world)[0], TEXT)


def _open(world: World) -> None:
    world.ask(SESSION)


def _fill(world: World) -> None:
    _open(world)
    world.fill(SESSION, _FULL)


def _open_several(world: World) -> None:
    for session_id in (*OTHERS, SESSION):
        world.ask(session_id)


def _respond_to_several(world: World) -> tuple[str, ...]:
    first, *rest = sorted(world.must)
    also = [word for one in rest for word in ("--also", one)]
    return ("gemba", "escalations", "respond", first, TEXT, *also, *_NONCE)


def _all_answered(world: World) -> None:
    world.gemba(*_respond_to_several(world)[1:])
    values = [item["resolution"]["value"] for item in world.listed()]
    assert values == [TEXT] * len(world.must), "the same nonce did not finish the rest"


def _answered(world: World) -> None:
    world.gemba("escalations", "respond", world.target, TEXT, *_NONCE)
    assert world.listed()[0]["resolution"]["value"] == TEXT


def _settling(verb: str, state: str) -> Callable[[World], None]:
    def again(world: World) -> None:
        world.gemba("escalations", verb, world.target, codes=(0, 5))
        assert world.listed()[0]["state"] == state

    return again


def _on_target(*words: str) -> Callable[[World], tuple[str, ...]]:
    return lambda world: ("gemba", "escalations", words[0], world.target, *words[1:])


def _due_at_work(world: World) -> None:
    """An answer for an agent at work, whose next hook takes it along."""
    for hook, payload in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {})):
        world.write(SESSION, hook, {"session_id": "client", **payload}, "claude")
    world.resolve(SESSION, world.ask(SESSION), TEXT)


def _offered(world: World) -> None:
    _due_at_work(world)
    world.gemba("deliver")


def _closed(world: World) -> None:
    world.resolve(SESSION, world.ask(SESSION), "an early answer")


def _in_pane(kind: str) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        world.open_pane(SESSION, kind)
        world.ask(SESSION)

    return prepare


def _due_in_pane(kind: str) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        _in_pane(kind)(world)
        world.resolve(SESSION, world.target, TEXT)

    return prepare


def _uncertain_in_pane(kind: str) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        _in_pane(kind)(world)
        world.claim(SESSION, world.resolve(SESSION, world.target, TEXT))

    return prepare


def _overdue(world: World) -> None:
    past = "2020-01-01T00:00:00Z"
    world.ask(OTHERS[0], deadline=past, on_expiry=f"default={TEXT}")
    world.ask(OTHERS[1], deadline=past, on_expiry="cancel")
    world.claim(OTHERS[2], world.resolve(OTHERS[2], world.ask(OTHERS[2]), TEXT))


def _ticked(world: World) -> None:
    world.gemba("tick")
    found = {item["session_id"]: item for item in world.listed()}
    assert found[OTHERS[0]]["resolution"]["value"] == TEXT
    assert found[OTHERS[1]]["state"] == "expired"
    assert found[OTHERS[2]]["delivery"]["status"] == "uncertain"


def _ended(world: World) -> None:
    for session_id in OTHERS:
        world.write(session_id, "GembaState", {"state": "working"})
        world.write(session_id, "SessionEnd", {"reason": "logout"})
    world.ask(SESSION)


def _pruned(world: World) -> None:
    world.gemba("log", "prune", "--older-than", "0.001s")
    assert world.logs() == [world.log(SESSION)]
    sessions = json.loads(world.gemba("sessions", "list", "--json"))
    assert [session["session_id"] for session in sessions] == [SESSION]


def _much(world: World) -> None:
    for session_id in OTHERS:
        for number in range(12):
            asked = world.ask(session_id, text=f"Question {number}?")
            if number % 2:
                world.resolve(session_id, asked, f"answer {session_id} {number}")
            if number % 4 == 3:
                world.write(session_id, "GembaReopen", {"escalation_id": asked, "by": "x"})


def _indexed(world: World) -> None:
    _much(world)
    world.listed()
    world.ask(OTHERS[0], text="One more?")


def _indexed_before(world: World) -> None:
    world.ask(SESSION)
    world.listed()
    _much(world)


def _spoilt(world: World) -> None:
    _open(world)
    # Killed after a commit, it leaves its -wal and -shm.
    world.run("gemba", "index", "status", at=2, when="after")
    world.is_spoilt = True
    for name in ("index.db", "index.db-wal"):
        (world.home / name).write_bytes(b"no database" * 1000)


_ASK = ("gemba-ask", "--kind", "question", "--role", "coach", "--text", "Which?")
_WAIT = (*_ASK, "--wait", "--timeout", "30s")
_APPENDS = frozenset({"write", "fdatasync"})
_SETTLES = _APPENDS | {"commit", "print"}
_TYPES = _SETTLES | {"tmux", "paste", "paste input", "enter", "unlink"}

OPERATIONS = (
    Operation("ask", lambda _: _ASK, in_session=True, steps=_APPENDS | {"fsync", "print"}),
    Operation(
        "ask with a key",
        lambda _: ("gemba-ask", *_KEYED),
        in_session=True,
        steps=_APPENDS | {"print"},
        again=_asked_again,
    ),
    Operation(
        "ask and wait",
        lambda _: _WAIT,
        in_session=True,
        steps=_APPENDS | {"print", "unlink"},
        meanwhile=_answer_it,
    ),
    Operation(
        "ask and wait, nobody reads",
        lambda _: _WAIT,
        in_session=True,
        steps=_APPENDS | {"print", "unlink"},
        meanwhile=_answer_it,
        code=1,
        how={"deaf": True},
    ),
    Operation(
        "ask on a full disk",
        lambda _: _ASK,
        prepare=_fill,
        in_session=True,
        steps=frozenset({"write", "ftruncate"}),
        code=1,
        how={"file_limit": _FULL + 50},
    ),
    Operation(
        "state",
        lambda _: ("gemba-state", "working"),
        prepare=_open,
        in_session=True,
        steps=frozenset({"write"}),
    ),
    Operation(
        "bridge",
        lambda _: ("gemba-bridge", "PreToolUse"),
        prepare=_open,
        in_session=True,
        steps=frozenset({"write"}),
        how={"stdin": _HOOK},
    ),
    Operation(
        "lay an answer out for a hook",
        lambda _: ("gemba", "deliver"),
        prepare=_due_at_work,
        steps=_SETTLES | {"replace"},
    ),
    Operation(
        "answer through a hook",
        lambda _: ("gemba-bridge", "PostToolUse"),
        prepare=_offered,
        in_session=True,
        steps=_APPENDS | {"print", "unlink"},
        how={"stdin": _HOOK},
    ),
    Operation(
        "answer through a hook, nobody reads",
        lambda _: ("gemba-bridge", "PostToolUse"),
        prepare=_offered,
        in_session=True,
        steps=_APPENDS | {"print", "unlink"},
        how={"stdin": _HOOK, "deaf": True},
    ),
    Operation(
        "respond",
        _on_target("respond", TEXT, *_NONCE),
        prepare=_open,
        steps=_SETTLES,
        again=_answered,
    ),
    Operation(
        "respond to several",
        _respond_to_several,
        prepare=_open_several,
        steps=_SETTLES,
        again=_all_answered,
    ),
    Operation(
        "respond into a pane",
        _on_target("respond", TEXT, *_NONCE),
        prepare=_in_pane("agent"),
        steps=_TYPES,
        again=_answered,
    ),
    Operation(
        "approve",
        _on_target("approve"),
        prepare=_open,
        steps=_SETTLES,
        again=_settling("approve", "resolved"),
    ),
    Operation(
        "cancel",
        _on_target("cancel"),
        prepare=_open,
        steps=_SETTLES,
        again=_settling("cancel", "canceled"),
    ),
    Operation(
        "reopen",
        _on_target("reopen"),
        prepare=_closed,
        steps=_SETTLES,
        again=_settling("reopen", "open"),
    ),
    Operation(
        "deliver to an agent",
        lambda _: ("gemba", "deliver"),
        prepare=_due_in_pane("agent"),
        steps=_TYPES,
    ),
    Operation(
        "deliver to a line reader",
        lambda _: ("gemba", "deliver"),
        prepare=_due_in_pane("line"),
        steps=_TYPES,
    ),
    Operation(
        "redeliver to an agent",
        _on_target("redeliver"),
        prepare=_uncertain_in_pane("agent"),
        steps=_TYPES,
    ),
    Operation(
        "redeliver to a line reader",
        _on_target("redeliver"),
        prepare=_uncertain_in_pane("line"),
        steps=_TYPES,
    ),
    Operation("tick", lambda _: ("gemba", "tick"), prepare=_overdue, steps=_SETTLES, again=_ticked),
    Operation(
        "prune",
        lambda _: ("gemba", "log", "prune", "--older-than", "0.001s"),
        prepare=_ended,
        steps=frozenset({"unlink", "commit", "print"}),
        again=_pruned,
    ),
    Operation(
        "index rebuild",
        lambda _: ("gemba", "index", "rebuild"),
        prepare=_indexed,
        steps=frozenset({"commit", "print"}),
    ),
    Operation(
        "first catch-up",
        lambda _: ("gemba", "index", "status"),
        prepare=_much,
        steps=frozenset({"commit", "print"}),
    ),
    Operation(
        "catch-up in small steps",
        lambda _: ("gemba", "index", "status"),
        prepare=_indexed_before,
        steps=frozenset({"commit", "print"}),
        how={"small_batches": True},
    ),
    Operation(
        "set a broken index aside",
        lambda _: ("gemba", "escalations", "list"),
        prepare=_spoilt,
        steps=frozenset({"rename", "commit", "print"}),
    ),
)
