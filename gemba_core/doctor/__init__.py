"""Is everything in order, and if not, what to do: one small check for each thing."""

from gemba_core.doctor.checks import CHECKS
from gemba_core.doctor.finding import Finding

__all__ = ["CHECKS", "Finding"]
