"""Kills at random steps, while another process works in the same home."""

import random
from collections.abc import Iterator

import pytest

from tests.torture.cases import WHEN, Bench, Case, Rival, was_killed
from tests.torture.operation import Operation
from tests.torture.operations import OPERATIONS
from tests.torture.world import World

_CASES = 300
# Always the same cases; what happens in them is another thing each time.
_SEED = 20261121
_BY_NAME = {operation.name: operation for operation in OPERATIONS}


def _on_target(verb: str, *words: str) -> Rival:
    def argv(world: World) -> tuple[str, ...]:
        return ("gemba", "escalations", verb, world.target or "none", *words)

    return Rival(argv, is_first=False)


def _redeliver(world: World) -> tuple[str, ...]:
    if any(terminal.kind == "line" for terminal in world.terminals.values()):
        # What a killed delivery left in such a line only a person sees, who clears it first.
        return ("gemba", "escalations", "list")
    world.blind += 1
    return ("gemba", "escalations", "redeliver", world.target or "none")


_RIVALS = (
    _on_target("respond", "the rival's answer"),
    _on_target("respond", "the rival's answer", "--nonce", "n-1"),
    _on_target("approve"),
    _on_target("cancel"),
    _on_target("reopen"),
    _on_target("claim", "--as", "a-rival"),
    _on_target("release"),
    Rival(_redeliver, is_first=False),
    Rival(lambda _: ("gemba", "deliver"), is_first=False),
    Rival(lambda _: ("gemba", "tick"), is_first=False),
    Rival(lambda _: ("gemba", "index", "rebuild"), is_first=False),
    Rival(lambda _: ("gemba", "escalations", "list"), is_first=False),
    Rival(lambda _: ("gemba", "log", "prune", "--older-than", "0.001s"), is_first=False),
)


@pytest.mark.torture
def test_a_kill_at_a_random_step_beside_a_rival_loses_and_doubles_nothing(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever another process does meanwhile, a killed operation breaks no promise."""
    counts = {operation.name: len(bench.steps(operation)) for operation in OPERATIONS}
    cases = list(_drawn(random.Random(_SEED), counts, _CASES))
    done = bench.run_all(cases)
    killed = sum(map(was_killed, done))
    assert killed >= len(done) // 2, "most runs were over before they were killed"
    with capsys.disabled():
        print(f"\nrandom kills: {killed} of {len(done)} runs killed")


def test_a_sample_of_random_kills_loses_and_doubles_nothing(bench: Bench) -> None:
    """A few random kills beside a rival break no promise."""
    few = ("ask with a key", "respond", "respond to several", "tick", "index rebuild")
    bench.run_all(_drawn(random.Random(_SEED), dict.fromkeys(few, 6), 8))


def _drawn(chance: random.Random, counts: dict[str, int], number: int) -> Iterator[Case]:
    """Random operations, steps, ways to be killed, and rivals."""
    names = sorted(counts)
    for _ in range(number):
        operation: Operation = _BY_NAME[chance.choice(names)]
        at = chance.randint(1, counts[operation.name])
        rival = chance.choice(_RIVALS)
        yield Case(
            operation,
            at,
            chance.choice(WHEN),
            Rival(rival.argv, is_first=chance.random() < 0.5),
        )
