"""The conformance suite for adaptors of the OrchestrationPlane.

For your tests: inherit from `OrchestrationConformance`. For a program:
`run_probes(subject)` gives a `Report`. Nothing that is shipped to users imports
this, but the command that runs it.
"""

from gemba_core.testing.conformance import OrchestrationConformance
from gemba_core.testing.outcome import NotApplicable, Unmet
from gemba_core.testing.probe import Group, Probe
from gemba_core.testing.probes import PROBES
from gemba_core.testing.report import Outcome, Report, Result
from gemba_core.testing.run import results, run_probes
from gemba_core.testing.subject import Subject
from gemba_core.testing.target import subject_of

__all__ = [
    "PROBES",
    "Group",
    "NotApplicable",
    "OrchestrationConformance",
    "Outcome",
    "Probe",
    "Report",
    "Result",
    "Subject",
    "Unmet",
    "results",
    "run_probes",
    "subject_of",
]
