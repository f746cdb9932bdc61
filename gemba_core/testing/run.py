"""Trying probes on a subject."""

import asyncio
import time
from collections.abc import Iterable, Iterator

from gemba_core.testing.outcome import NotApplicable, Unmet
from gemba_core.testing.probe import Probe
from gemba_core.testing.probes import PROBES
from gemba_core.testing.report import Outcome, Report, Result
from gemba_core.testing.subject import Subject
from gemba_core.testing.trial import opened


async def attempt(probe: Probe, subject: Subject) -> None:
    """Try it on an adaptor of its own. Raises Unmet, NotApplicable, and what the adaptor raises."""
    limit = asyncio.timeout(subject.timeout)
    try:
        async with limit, opened(subject) as trial:
            await probe.attempt(trial)
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise Unmet(f"not done after {subject.timeout:g} s") from error


async def result(probe: Probe, subject: Subject) -> Result:
    """What comes of it."""
    began = time.monotonic()
    outcome, reason = Outcome.PASSED, ""
    try:
        await attempt(probe, subject)
    except NotApplicable as why:
        outcome, reason = Outcome.SKIPPED, str(why)
    except Unmet as why:
        outcome, reason = Outcome.FAILED, str(why)
    except Exception as error:
        # Somebody else's code runs here: whatever it raises, the probe has failed.
        outcome, reason = Outcome.FAILED, f"{type(error).__name__}: {error}"
    return Result(probe, outcome, reason, time.monotonic() - began)


def results(subject: Subject, probes: Iterable[Probe] = PROBES) -> Iterator[Result]:
    """Each result as it is there; every probe has an adaptor and an event loop of its own."""
    for probe in probes:
        yield asyncio.run(result(probe, subject))


def run_probes(subject: Subject, name: str | None = None) -> Report:
    """All probes, one after the other."""
    return Report(name or type(subject).__name__, tuple(results(subject)))
