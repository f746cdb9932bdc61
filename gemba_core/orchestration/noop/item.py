"""What the reference adaptor has to claim."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyItem:
    """A work item that waits for an agent; the smaller its `priority`, the more it matters."""

    id: str
    kind: str | None = None
    labels: tuple[str, ...] = ()
    priority: int = 0
    sprint_id: str | None = None
    repository: str | None = None
