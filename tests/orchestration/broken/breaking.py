"""How an adaptor that breaks one rule is put to the test."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from gemba_core.orchestration.noop import Noop
from gemba_core.testing.noop import NoopSubject

A = TypeVar("A", bound=type[Noop])


@dataclass(frozen=True, slots=True)
class Broken:
    """What breaks a rule, and the name of the probe that must say so."""

    probe: str
    name: str
    subject: NoopSubject


class Breakers(list[Broken]):
    """Some of them."""

    def breaks(self, probe: str, subject: type[NoopSubject] = NoopSubject) -> Callable[[A], A]:
        """The decorator of an adaptor's class: it breaks the rule of that probe."""

        def added(kind: A) -> A:
            made = subject()
            made.kind = kind
            self.append(Broken(probe, kind.__name__, made))
            return kind

        return added
