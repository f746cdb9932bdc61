"""What the journal says of a workflow: what is pending, and how it stands. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gemba_core.workflow.action import Action, Ask, Spawn, SpawnMany, checked, spawns_of
from gemba_core.workflow.record import (
    Asking,
    Begun,
    Concluded,
    Consulted,
    Issued,
    Record,
    Reissued,
    Reported,
    Settled,
    Started,
)


@dataclass(slots=True)
class History:
    """The fold of the records.

    step       the number of the last step that was issued
    action     what it is; `is_pending` tells whether it is carried out
    asking     the machine was asked, and its answer is not on the record
    running    agents of this step that had begun and of which nothing is settled yet, by item
    reported   how the others ended, by item
    consulted  what a person was asked and is not settled
    concluded  the last runner's last word, if it had one
    """

    begun: Begun | None = None
    step: int = 0
    action: Action | None = None
    asking: Asking | None = None
    running: dict[int, Started] = field(default_factory=dict)
    reported: dict[int, Reported] = field(default_factory=dict)
    consulted: Consulted | None = None
    concluded: Concluded | None = None

    @property
    def remaining(self) -> dict[int, Spawn]:
        """The agents of this step that have not succeeded, by item."""
        spawns = spawns_of(self.action) if self.action else ()
        done = {item for item, report in self.reported.items() if report.is_done}
        return {item: one for item, one in enumerate(spawns, 1) if item not in done}

    @property
    def is_pending(self) -> bool:
        """Whether the last step is an order that is not carried out."""
        if isinstance(self.action, Spawn | SpawnMany):
            return bool(self.remaining)
        if isinstance(self.action, Ask):
            return 1 not in self.reported
        # A gate is asked about anew, unless somebody is being consulted about it.
        return self.consulted is not None

    @property
    def finished(self) -> Concluded | None:
        """The last word, if it is that the machine has nothing more to do."""
        is_done = self.concluded is not None and self.concluded.ended == "done"
        return self.concluded if is_done else None

    def add(self, record: Record) -> None:
        """Take one more record into account. Raises BadAction for an order of another version."""
        self.concluded = record if isinstance(record, Concluded) else None
        match record:
            case Begun():
                self.begun = record
            case Asking():
                self.asking = record
            case Issued():
                self.asking = self.consulted = None
                self.step, self.action = record.step, checked(record.action)
                self.running, self.reported = {}, {}
            case Started():
                self.running[record.item] = record
            case Reissued():
                self.running.pop(record.item, None)
            case Reported():
                self.running.pop(record.item, None)
                self.reported[record.item] = record
            case Consulted():
                self.consulted = record
            case Settled():
                self.consulted = None
            case _:
                pass


def history(records: Iterable[Record]) -> History:
    """The fold of all of them. Raises BadAction."""
    folded = History()
    for record in records:
        folded.add(record)
    return folded
