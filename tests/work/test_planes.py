"""What every WorkPlane promises: the queue and Beads."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.orchestration.work.queue import NewItem, Queue
from tests.work.conftest import Tracker

ANY = ReadyFilter()
FIRST, SECOND = ConfirmNonce("n-1"), ConfirmNonce("n-2")

T = TypeVar("T")


class Kept:
    """A WorkPlane, and how work gets there."""

    def __init__(self, plane: WorkPlane, add: Callable[[int, str], str]) -> None:
        self.plane = plane
        self._add = add

    def add(self, priority: int = 2, label: str = "any") -> str:
        """One more item; its id."""
        return self._add(priority, label)

    def do(self, action: Callable[[WorkPlane], Awaitable[T]]) -> T:
        """What the plane answers."""

        async def act() -> T:
            return await action(self.plane)

        return asyncio.run(act())

    def claim(self, id: str, agent: str = "ada", nonce: ConfirmNonce = FIRST) -> WorkItem:
        """Claim it."""
        return self.do(lambda plane: plane.claim(id, agent, nonce))

    def read(self, id: str) -> WorkItem:
        """The item as it stands."""
        return self.do(lambda plane: plane.read(id))

    def ready(self, filter: ReadyFilter = ANY) -> list[str]:
        """The ids of what is ready."""
        return [item.id for item in self.do(lambda plane: plane.list_ready(filter))]


@pytest.fixture(params=["queue", "beads"])
def kept(request: pytest.FixtureRequest, queue: Queue, tracker: Tracker) -> Kept:
    """Each of the planes."""

    def add_to_queue(priority: int, label: str) -> str:
        new = NewItem(title="Do it", priority=priority, labels=(label,))
        return asyncio.run(queue.add(new)).id

    def add_to_beads(priority: int, label: str) -> str:
        id = f"gm-{len(tracker.issues()) + 1}"
        tracker.add(id, priority=priority, labels=[label])
        return id

    if request.param == "queue":
        return Kept(queue, add_to_queue)
    return Kept(tracker.plane(), add_to_beads)


def refused(action: Callable[[], object]) -> AdaptorError:
    """The error that it raises."""
    with pytest.raises(AdaptorError) as caught:
        action()
    return caught.value


def test_the_most_urgent_is_ready_first_then_the_oldest(kept: Kept) -> None:
    """So all that claim go the same way."""
    late, urgent, later = kept.add(2), kept.add(0), kept.add(2)
    assert kept.ready() == [urgent, late, later]


def test_only_what_fits_is_ready(kept: Kept) -> None:
    """Labels and priority of the filter hold together."""
    kept.add(0, "ui")
    wanted = kept.add(1, "api")
    kept.add(3, "api")
    assert kept.ready(ReadyFilter(labels=("api",), max_priority=2)) == [wanted]


def test_a_claimed_item_is_started_and_no_longer_ready(kept: Kept) -> None:
    """With the agent and the nonce that have it."""
    id = kept.add()
    claimed = kept.claim(id)
    assert claimed == kept.read(id)
    assert claimed.state_category is StateCategory.STARTED
    assert (claimed.assignee, claimed.claim) == ("ada", FIRST)
    assert kept.ready() == []


@pytest.mark.parametrize("agent", ["ada", "bob"])
def test_what_somebody_has_is_refused(kept: Kept, agent: str) -> None:
    """Also to an agent of the same name, under another nonce; the error tells how it stands."""
    id = kept.add()
    kept.claim(id)
    error = refused(lambda: kept.claim(id, agent, SECOND))
    assert error.kind is ErrorKind.SESSION_CLOSED
    assert error.detail["work_item"]["assignee"] == "ada"


def test_the_same_claim_again_is_the_same_claim(kept: Kept) -> None:
    """A caller that did not hear the answer asks once more."""
    id = kept.add()
    assert kept.claim(id) == kept.claim(id)


def test_what_is_given_back_is_ready_again(kept: Kept) -> None:
    """Without a trace of who had it; a second time changes nothing."""
    id = kept.add()
    kept.claim(id)
    for _ in range(2):
        released = kept.do(lambda plane: plane.release(id, FIRST))
        assert (released.state_category, released.assignee) == (StateCategory.READY, None)
    assert kept.ready() == [id]
    assert kept.claim(id, "bob", SECOND).assignee == "bob"


def test_nobody_gives_back_what_another_claim_holds(kept: Kept) -> None:
    """A late undo must not take the item from whoever has it by now."""
    id = kept.add()
    kept.claim(id, "bob", SECOND)
    assert kept.do(lambda plane: plane.release(id, FIRST)).assignee == "bob"
    assert kept.do(lambda plane: plane.complete(id, FIRST)).status == "in_progress"


def test_a_person_gives_back_whatever_anybody_has(kept: Kept) -> None:
    """Without a nonce."""
    id = kept.add()
    kept.claim(id)
    kept.do(lambda plane: plane.release(id))
    assert kept.ready() == [id]


def test_what_is_done_is_neither_ready_nor_claimed(kept: Kept) -> None:
    """It stays on the record."""
    id = kept.add()
    kept.claim(id)
    for _ in range(2):
        done = kept.do(lambda plane: plane.complete(id, FIRST, "merged"))
        assert done.state_category is StateCategory.DONE
    assert kept.do(lambda plane: plane.release(id)).state_category is StateCategory.DONE
    assert refused(lambda: kept.claim(id, "bob", SECOND)).kind is ErrorKind.SESSION_CLOSED
    assert kept.do(lambda plane: plane.list_items()) == ()
    assert [item.id for item in kept.do(lambda plane: plane.list_items(done=True))] == [id]


@pytest.mark.parametrize("id", ["w99", "", "--all"])
def test_an_unknown_id_is_said_to_be_unknown(kept: Kept, id: str) -> None:
    """Whatever is asked of it, and whatever it looks like."""
    actions: list[Callable[[], object]] = [
        lambda: kept.read(id),
        lambda: kept.claim(id),
        lambda: kept.do(lambda plane: plane.release(id)),
        lambda: kept.do(lambda plane: plane.complete(id)),
    ]
    kept.add()
    for action in actions:
        assert refused(action).kind is ErrorKind.SESSION_NOT_FOUND


def test_of_concurrent_claims_exactly_one_succeeds(kept: Kept) -> None:
    """Here within one process; of one agent's or of several."""
    id = kept.add()

    async def race() -> list[object]:
        claims = (
            kept.plane.claim(id, f"agent-{number % 2}", ConfirmNonce(f"n-{number}"))
            for number in range(8)
        )
        return list(await asyncio.gather(*claims, return_exceptions=True))

    outcome = asyncio.run(race())
    winners = [one for one in outcome if isinstance(one, WorkItem)]
    losers = [one.kind for one in outcome if isinstance(one, AdaptorError)]
    assert winners == [kept.read(id)]
    assert losers == [ErrorKind.SESSION_CLOSED] * 7


def test_a_cancelled_claim_can_be_undone(kept: Kept) -> None:
    """However far it came: after the cancellation nothing of it still runs."""
    ids = [kept.add() for _ in range(4)]

    async def cancel_each() -> None:
        for number, id in enumerate(ids):
            nonce = ConfirmNonce(f"n-{number}")
            claim = asyncio.ensure_future(kept.plane.claim(id, "ada", nonce))
            for _ in range(number):
                await asyncio.sleep(0)
            claim.cancel()
            with pytest.raises(asyncio.CancelledError):
                await claim
            await kept.plane.release(id, nonce)

    asyncio.run(cancel_each())
    assert kept.ready() == ids
