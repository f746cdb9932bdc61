"""The suite itself: who breaks one rule is caught by the probe of that rule, and by no other."""

import asyncio

import pytest

from gemba_core.testing import PROBES, Outcome
from gemba_core.testing.run import result
from gemba_core.testing.subject import Subject
from tests.orchestration.broken import BROKEN
from tests.orchestration.broken.breaking import Broken


async def _failed(subject: Subject) -> list[str]:
    """The probes that fail, all tried at once: most of their time is waiting."""
    results = await asyncio.gather(*(result(probe, subject) for probe in PROBES))
    return [one.probe.name for one in results if one.outcome is Outcome.FAILED]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_adaptor_is_caught_by_its_probe(broken: Broken) -> None:
    """By that one alone: a report then names what is wrong."""
    assert asyncio.run(_failed(broken.subject)) == [broken.probe]


@pytest.mark.parametrize("name", [probe.name for probe in PROBES])
def test_every_probe_can_fail(name: str) -> None:
    """Some adaptor is caught by it: a probe that nothing fails would prove nothing."""
    assert name in {broken.probe for broken in BROKEN}


def test_every_broken_adaptor_has_a_probe() -> None:
    """None is kept for a probe that there is no more."""
    assert {broken.probe for broken in BROKEN} <= {probe.name for probe in PROBES}
