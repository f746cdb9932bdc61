"""The reference adaptor keeps the contract: every probe, as an author's own tests run them."""

from gemba_core.testing import OrchestrationConformance
from gemba_core.testing.noop import NoopSubject


class TestNoop(OrchestrationConformance, NoopSubject):
    """All probes, none skipped: the reference has every override."""
