"""What a session costs, in samples that only ever add up."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CostAxis(StrEnum):
    """What an adaptor meters."""

    TOKENS = "tokens"
    WALLCLOCK = "wallclock"
    DOLLARS_NATIVE = "dollars_native"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSample:
    """What was spent since the sample before; None: not metered."""

    at: datetime
    tokens: int | None = None
    wallclock_seconds: float | None = None
    dollars_native: float | None = None
    dollars_est: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostMeter:
    """The sum over an assignment. Gemba computes it, adaptors do not."""

    tokens_total: int = 0
    wallclock_seconds: float = 0.0
    dollars_est: float = 0.0


def metered(samples: Iterable[CostSample], *, native_to_dollars: float | None = None) -> CostMeter:
    """The samples' sum. A sample without its own estimate counts its native cost at that rate."""
    tokens, seconds, dollars = 0, 0.0, 0.0
    for sample in samples:
        tokens += sample.tokens or 0
        seconds += sample.wallclock_seconds or 0.0
        estimate = sample.dollars_est
        if estimate is None:
            estimate = (sample.dollars_native or 0.0) * (native_to_dollars or 0.0)
        dollars += estimate
    return CostMeter(tokens_total=tokens, wallclock_seconds=seconds, dollars_est=dollars)
