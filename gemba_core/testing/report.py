"""What came of the probes."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from xml.etree import ElementTree

from gemba_core.frame.text import shown
from gemba_core.testing.probe import Probe


class Outcome(StrEnum):
    """A probe that could not prove anything is skipped, never passed."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one; `reason` is why it failed or was skipped."""

    probe: Probe
    outcome: Outcome
    reason: str
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "group": self.probe.group.value,
            "name": self.probe.name,
            "proves": self.probe.proves,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All results, under the name of what was tried."""

    name: str
    results: tuple[Result, ...]

    def count(self, outcome: Outcome) -> int:
        """How many came to that."""
        return Counter(result.outcome for result in self.results)[outcome]

    @property
    def is_conformant(self) -> bool:
        """Whether none failed."""
        return not self.count(Outcome.FAILED)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        counts = {outcome.value: self.count(outcome) for outcome in Outcome}
        return {"name": self.name, **counts, "results": [one.to_json() for one in self.results]}

    def to_junit(self) -> bytes:
        """The report as a JUnit XML file, which CI servers show."""
        suite = ElementTree.Element(
            "testsuite",
            name=f"gemba adaptor test {shown(self.name)}",
            tests=str(len(self.results)),
            failures=str(self.count(Outcome.FAILED)),
            skipped=str(self.count(Outcome.SKIPPED)),
            errors="0",
            time=f"{sum(result.seconds for result in self.results):.3f}",
        )
        for result in self.results:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=f"{shown(self.name)}.{result.probe.group}",
                name=result.probe.name,
                time=f"{result.seconds:.3f}",
            )
            # Without control characters, which XML has no way to say.
            if result.outcome is Outcome.FAILED:
                ElementTree.SubElement(case, "failure", message=shown(result.reason))
            elif result.outcome is Outcome.SKIPPED:
                ElementTree.SubElement(case, "skipped", message=shown(result.reason))
        written: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
        return written
