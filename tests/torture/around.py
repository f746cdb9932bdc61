"""Around an operation: the world before it, what somebody does meanwhile, its caller afterwards."""

import json
from collections.abc import Callable

from tests.torture.operation import SESSION
from tests.torture.world import Started, World
from tests.waiting import wait_until

OTHERS = ("torture/1", "torture/2", "torture/3")
TEXT = "use the test key"
KEYED = ("--kind", "question", "--role", "coach", "--text", "Which key?", "--key", "k")
NONCE = ("--nonce", "n-1")
FULL = 8192
_PAST = "2020-01-01T00:00:00Z"


def asks(world: World) -> list[str]:
    return [frame["event_id"] for frame in world.frames(SESSION) if frame["hook"] == "GembaAsk"]


def asked_again(world: World) -> None:
    done = world.run("gemba-ask", *KEYED, session=SESSION)
    assert done.code == 0, done.stderr
    keyed = [item["id"] for item in world.listed() if item["prompt"] == "Which key?"]
    assert keyed == done.stdout.splitlines()[:1], "asked again with a key, it is another one"


def answer_it(world: World, started: Started) -> None:
    wait_until(lambda: asks(world) or started.running.is_over(), timeout=30, what="the ask")
    if asks(world):
        world.gemba("escalations", "respond", asks(world)[0], TEXT)


def one_open(world: World) -> None:
    world.ask(SESSION)


def fill(world: World) -> None:
    one_open(world)
    world.fill(SESSION, FULL)


def several_open(world: World) -> None:
    for session_id in (*OTHERS, SESSION):
        world.ask(session_id)


def respond_to_several(world: World) -> tuple[str, ...]:
    first, *rest = sorted(world.must)
    also = [word for one in rest for word in ("--also", one)]
    return ("gemba", "escalations", "respond", first, TEXT, *also, *NONCE)


def all_answered(world: World) -> None:
    world.gemba(*respond_to_several(world)[1:])
    values = [item["resolution"]["value"] for item in world.listed()]
    assert values == [TEXT] * len(world.must), "the same nonce did not finish the rest"


def answered(world: World) -> None:
    world.gemba("escalations", "respond", world.target, TEXT, *NONCE)
    assert world.listed()[0]["resolution"]["value"] == TEXT


def settling(verb: str, state: str) -> Callable[[World], None]:
    def again(world: World) -> None:
        world.gemba("escalations", verb, world.target, codes=(0, 5))
        assert world.listed()[0]["state"] == state

    return again


def claim_several(world: World) -> tuple[str, ...]:
    return ("gemba", "escalations", "claim", *sorted(world.must))


def all_claimed(world: World) -> None:
    world.gemba(*claim_several(world)[1:])
    assert {item["claimed_by"] for item in world.listed()} == {"operator"}


def claimed_by_another(world: World) -> None:
    claimed(world, SESSION, "2999-01-01T00:00:00Z")


def claimed(world: World, session_id: str, until: str) -> None:
    claim = {"escalation_id": world.ask(session_id), "by": "another", "until": until}
    world.write(session_id, "GembaClaim", claim)


def released(world: World) -> None:
    world.gemba("escalations", "release", world.target)
    assert world.listed()[0]["claimed_by"] is None
    assert len([one for one in world.frames(SESSION) if one["hook"] == "GembaRelease"]) == 1


def deadline_applied(state: str) -> Callable[[World], None]:
    def again(world: World) -> None:
        def is_applied() -> bool:
            world.gemba("tick")
            return all(item["state"] == state for item in world.listed())

        wait_until(is_applied, timeout=30, what="the deadline")

    return again


def on_target(*words: str) -> Callable[[World], tuple[str, ...]]:
    return lambda world: ("gemba", "escalations", words[0], world.target, *words[1:])


def due_at_work(world: World) -> None:
    """An answer for an agent at work, whose next hook takes it along."""
    for hook, payload in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {})):
        world.write(SESSION, hook, {"session_id": "client", **payload}, "claude")
    world.resolve(SESSION, world.ask(SESSION), TEXT)


def offered(world: World) -> None:
    due_at_work(world)
    world.gemba("deliver")


def closed(world: World) -> None:
    world.resolve(SESSION, world.ask(SESSION), "an early answer")


def in_pane(kind: str) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        world.open_pane(SESSION, kind)
        world.ask(SESSION)

    return prepare


def due_in_pane(kind: str) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        in_pane(kind)(world)
        world.resolve(SESSION, world.target, TEXT)

    return prepare


def uncertain_in_pane(kind: str) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        in_pane(kind)(world)
        world.claim(SESSION, world.resolve(SESSION, world.target, TEXT))

    return prepare


def overdue(world: World) -> None:
    world.ask(OTHERS[0], deadline=_PAST, on_expiry=f"default={TEXT}")
    world.ask(OTHERS[1], deadline=_PAST, on_expiry="cancel")
    claimed(world, SESSION, _PAST)
    world.claim(OTHERS[2], world.resolve(OTHERS[2], world.ask(OTHERS[2]), TEXT))


def ticked(world: World) -> None:
    world.gemba("tick")
    found = {item["session_id"]: item for item in world.listed()}
    assert found[OTHERS[0]]["resolution"]["value"] == TEXT
    assert found[OTHERS[1]]["state"] == "expired"
    assert found[OTHERS[2]]["delivery"]["status"] == "uncertain"
    assert found[SESSION]["claimed_by"] is None


def ended(world: World) -> None:
    for session_id in OTHERS:
        world.write(session_id, "GembaState", {"state": "working"})
        world.write(session_id, "SessionEnd", {"reason": "logout"})
    world.ask(SESSION)


def pruned(world: World) -> None:
    world.gemba("log", "prune", "--older-than", "0.001s")
    assert world.logs() == [world.log(SESSION)]
    sessions = json.loads(world.gemba("sessions", "list", "--json"))
    assert [session["session_id"] for session in sessions] == [SESSION]


def much(world: World) -> None:
    for session_id in OTHERS:
        for number in range(12):
            asked = world.ask(session_id, text=f"Question {number}?")
            if number % 2:
                world.resolve(session_id, asked, f"answer {session_id} {number}")
            if number % 4 == 3:
                world.write(session_id, "GembaReopen", {"escalation_id": asked, "by": "x"})


def indexed(world: World) -> None:
    much(world)
    world.listed()
    world.ask(OTHERS[0], text="One more?")


def indexed_before(world: World) -> None:
    world.ask(SESSION)
    world.listed()
    much(world)


def spoilt(world: World) -> None:
    one_open(world)
    # Killed after a commit, it leaves its -wal and -shm.
    world.run("gemba", "index", "status", at=2, when="after")
    world.is_spoilt = True
    for name in ("index.db", "index.db-wal"):
        (world.home / name).write_bytes(b"no database" * 1000)
