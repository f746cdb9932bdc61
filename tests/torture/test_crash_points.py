"""Every durable step of every operation is a crash point."""

import pytest

from tests.torture.cases import Bench, kills, was_killed
from tests.torture.operation import Operation
from tests.torture.operations import OPERATIONS

_NAMES = [operation.name for operation in OPERATIONS]


_QUICK = ("ask with a key", "respond")


@pytest.mark.parametrize("name", _QUICK)
def test_a_kill_before_any_step_of_a_few_loses_and_doubles_nothing(name: str, bench: Bench) -> None:
    """A quick sample of the next test."""
    operation = OPERATIONS[_NAMES.index(name)]
    cases = kills(operation, bench.steps(operation))
    done = bench.run_all(case for case in cases if case.when == "before")
    assert all(map(was_killed, done))


@pytest.mark.torture
@pytest.mark.parametrize("operation", OPERATIONS, ids=_NAMES)
def test_a_kill_at_any_step_loses_and_doubles_nothing(
    operation: Operation, bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed before, within or after any durable step, an operation breaks no promise."""
    steps = bench.steps(operation)
    done = bench.run_all(kills(operation, steps))
    killed = sum(map(was_killed, done))
    assert killed >= 0.9 * len(done), "most runs were not killed at all"
    with capsys.disabled():
        print(f"\n{operation.name}: {len(steps)} steps, {killed} of {len(done)} runs killed")
