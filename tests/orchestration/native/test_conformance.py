"""The native adaptor keeps the contract: every probe, with real tmux, git and bubblewrap."""

import pytest

from gemba_core.testing import OrchestrationConformance
from gemba_core.testing.native import NativeSubject


@pytest.mark.usefixtures("bwrap")
class TestNative(OrchestrationConformance, NativeSubject):
    """All probes, none skipped."""
