"""Hours in which nothing is sent."""

import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

_SPAN = re.compile(r"^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)$")


@dataclass(frozen=True, slots=True)
class Quiet:
    """From one time of the day to another, which may be on the next; `ends` is outside."""

    begins: time
    ends: time

    def holds(self, now: datetime) -> bool:
        """Whether that moment, as the clock on the wall shows it, is within."""
        clock = now.time()
        if self.begins < self.ends:
            return self.begins <= clock < self.ends
        return clock >= self.begins or clock < self.ends


def quiet_hours(value: Any) -> Any:
    """`22:00-07:00` as hours. Raises ValueError; what is no text is left to others."""
    if not isinstance(value, str):
        return value
    found = _SPAN.match(value.replace(" ", ""))
    hours = [int(number) for number in found.groups()] if found else []
    if hours[:2] == hours[2:]:
        raise ValueError(f"{value!r} is no span of hours; write it as 22:00-07:00")
    return Quiet(time(hours[0], hours[1]), time(hours[2], hours[3]))
