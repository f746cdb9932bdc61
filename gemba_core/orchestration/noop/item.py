"""What the reference adaptor has to claim."""

from dataclasses import dataclass

from gemba_core.orchestration.assignment import ReadyFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyItem:
    """A work item that waits for an agent; the smaller its `priority`, the more it matters."""

    id: str
    kind: str | None = None
    labels: tuple[str, ...] = ()
    priority: int = 0
    sprint_id: str | None = None
    repository: str | None = None

    def fits(self, filter: ReadyFilter) -> bool:
        """Whether it is such work."""
        return (
            set(filter.labels) <= set(self.labels)
            and filter.kind in (None, self.kind)
            and (filter.max_priority is None or self.priority <= filter.max_priority)
            and filter.sprint_id in (None, self.sprint_id)
            and filter.repository in (None, self.repository)
        )
