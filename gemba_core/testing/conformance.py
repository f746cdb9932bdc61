"""The suite for pytest: a class to inherit from."""

import asyncio
from collections.abc import Callable

from gemba_core.testing.probe import Probe
from gemba_core.testing.probes import PROBES
from gemba_core.testing.run import attempt
from gemba_core.testing.subject import Subject


class OrchestrationConformance(Subject):
    """A test for each probe: `test_B_end_session_idempotent`, its docstring what it proves.

        class TestMine(OrchestrationConformance):
            def adaptor(self):
                return open_mine()

    A probe that needs an override which is not there is skipped.
    """


def _test(probe: Probe) -> Callable[[Subject], None]:
    def test(self: Subject) -> None:
        asyncio.run(attempt(probe, self))

    test.__name__ = f"test_{probe.group}_{probe.name}"
    test.__qualname__ = f"{OrchestrationConformance.__name__}.{test.__name__}"
    test.__doc__ = probe.proves
    return test


for _one in PROBES:
    _made = _test(_one)
    setattr(OrchestrationConformance, _made.__name__, _made)
