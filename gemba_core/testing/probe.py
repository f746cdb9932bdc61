"""A probe: one rule of the contract, and how it is tried."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from gemba_core.testing.trial import Trial

Try = Callable[[Trial], Awaitable[None]]


class Group(StrEnum):
    """Source: spec 003, "Minimum conformance"."""

    MANIFEST = "A"
    SESSIONS = "B"
    WORKSPACES = "C"
    ESCALATIONS = "D"
    EVENTS = "E"
    ERRORS = "F"


@dataclass(frozen=True, slots=True)
class Probe:
    """`proves` is one sentence. `attempt` raises Unmet or NotApplicable, or else passes."""

    group: Group
    name: str
    proves: str
    attempt: Try


class Probes(list[Probe]):
    """Some of one group, in the order in which they were added."""

    def __init__(self, group: Group) -> None:
        super().__init__()
        self._group = group

    def add(self, name: str, proves: str, attempt: Try) -> None:
        """One more."""
        self.append(Probe(self._group, name, proves, attempt))

    def probe(self, attempt: Try) -> Try:
        """The decorator of a probe: the function's name and docstring are the probe's."""
        self.add(attempt.__name__, attempt.__doc__ or "", attempt)
        return attempt
