"""What is wrong with, or to be known of, what an agent returned."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["blocking", "advisory"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A blocking one sends the contract back to its agent; an advisory one is only told.

    `code` is stable and one of docs/handoff.md; `field` is the dotted path, empty for the whole.
    """

    code: str
    field: str
    detail: str
    severity: Severity = "blocking"


def advice(code: str, field: str, detail: str) -> Finding:
    """An advisory finding."""
    return Finding(code, field, detail, "advisory")
