"""The tests of this folder, tried: each planted fault must make them fail."""

from dataclasses import replace

import pytest

from tests.torture.cases import Bench, kills
from tests.torture.operations import OPERATIONS

_TWICE = "twice|held"
_CAUGHT = (
    ("pastes before it claims", "deliver to an agent", _TWICE),
    ("pastes before it claims", "deliver to a line reader", _TWICE),
    ("types what was claimed", "deliver to an agent", "claimed twice"),
    ("types what was claimed", "deliver to a line reader", "twice"),
    ("commits rows before their position", "catch-up in small steps", "index"),
)


def test_a_waiter_that_prints_before_it_claims_is_caught(bench: Bench) -> None:
    """Killed between the two, it leaves an answer that was read and is to be delivered again."""
    _catch("prints before it claims", "ask and wait", "printed, and to be delivered again", bench)


@pytest.mark.torture
@pytest.mark.parametrize(("fault", "name", "broken"), _CAUGHT)
def test_a_planted_fault_is_caught(fault: str, name: str, broken: str, bench: Bench) -> None:
    """A program that is broken in this way breaks a promise when it is killed at some step."""
    _catch(fault, name, broken, bench)


def _catch(fault: str, name: str, broken: str, bench: Bench) -> None:
    """Kill the broken program at each step: a promise must be found broken."""
    operation = next(one for one in OPERATIONS if one.name == name)
    cases = kills(operation, bench.steps(operation))
    with pytest.raises(AssertionError, match=broken):
        bench.run_all(replace(case, fault=fault) for case in cases)
