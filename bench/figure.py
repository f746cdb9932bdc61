"""One measured figure beside its bound."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "MISS", "noted", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A value and the bound that it has to keep.

    `value` is None where it could not be measured; `note` then says why. A
    figure with a bound that is not `asserted` is only set beside it.
    """

    name: str
    value: float | None
    unit: str = "×"
    at_most: float | None = None
    at_least: float | None = None
    asserted: bool = True
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """How the value stands to its bound."""
        if self.value is None:
            return "skipped"
        if not self.asserted or (self.at_most is None and self.at_least is None):
            return "noted"
        too_much = self.at_most is not None and self.value > self.at_most
        too_little = self.at_least is not None and self.value < self.at_least
        return "MISS" if too_much or too_little else "ok"

    @property
    def bound(self) -> str:
        """The bound in words; empty where there is none."""
        if self.at_most is not None:
            return f"≤ {self.at_most:g}"
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return ""

    def line(self, *, with_note: bool = True) -> str:
        """The figure for a person, in columns."""
        value = "-" if self.value is None else f"{self.value:.2f} {self.unit}"
        columns = f"{self.name:<66} {value:>10}  {self.bound:<7} {self.verdict:<7}"
        return f"{columns} {self.note if with_note else ''}".rstrip()

    def plain(self) -> dict[str, object]:
        """The figure for a program."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "at_most": self.at_most,
            "at_least": self.at_least,
            "verdict": self.verdict,
            "note": self.note,
        }
