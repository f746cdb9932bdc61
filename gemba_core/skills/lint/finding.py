"""What a rule found: where, what is wrong and what to do."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gemba_core.skills.document import Position

# An error breaks the contract or the standard, a warning is likely a mistake; a note is allowed,
# and told all the same.
Severity: TypeAlias = Literal["error", "warning", "note"]

# From the file's bytes to the mended ones; doing it twice is doing it once.
Fix: TypeAlias = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where a rule is broken. `end` is behind its last character."""

    at: Position
    end: Position
    message: str
    fix: Fix | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in a file, and the rule that it breaks."""

    path: str
    rule: str
    name: str
    severity: Severity
    fault: Fault

    @property
    def order(self) -> tuple[int, int, str]:
        """Findings of one file are told from its top to its bottom."""
        return self.fault.at.line, self.fault.at.column, self.rule
