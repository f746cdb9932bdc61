"""A moment, in words and on the wire. Apart from `text`: the sentinels do without datetime."""

from datetime import UTC, datetime


def ago(moment: str | None, now: datetime | None = None) -> str:
    """`3m ago`; the moment in RFC 3339."""
    if moment is None:
        return "?"
    seconds = int(((now or datetime.now(UTC)) - datetime.fromisoformat(moment)).total_seconds())
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit} ago"
    return f"{max(seconds, 0)}s ago"


def rfc3339(moment: datetime) -> str:
    """The moment as the wire has it: in UTC, to the microsecond, with a Z."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
