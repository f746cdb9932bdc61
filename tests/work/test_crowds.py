"""Many who claim at the same moment: no item twice, none lost."""

import asyncio
from pathlib import Path

import pytest

from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.queue import NewItem, Queue
from tests.work.crowd import Crowd
from tests.work.programs.claimers import Record

FEW = (20, 40, 0), (20, 40, 10)
MANY = (100, 200, 0), (100, 200, 60)
SIZES = [
    *(pytest.param(*size, id=f"{size[1]} for {size[0]}, {size[2]} killed") for size in FEW),
    *(
        pytest.param(
            *size, id=f"{size[1]} for {size[0]}, {size[2]} killed", marks=pytest.mark.torture
        )
        for size in MANY
    ),
]


def filled(queue: Queue, count: int) -> set[str]:
    """The ids of so many new items."""

    async def fill() -> set[str]:
        return {(await queue.add(NewItem(title=f"Do {number}"))).id for number in range(count)}

    return asyncio.run(fill())


def all_items(queue: Queue) -> dict[str, WorkItem]:
    """Every item by its id."""
    return {item.id: item for item in asyncio.run(queue.list_items(done=True))}


@pytest.mark.parametrize(("items", "claimers", "kills"), SIZES)
def test_concurrent_claims_double_and_lose_nothing(
    queue: Queue, tmp_path: Path, items: int, claimers: int, kills: int
) -> None:
    """Every item is ready, or has one claimer; what a dead one has is given back by its nonce."""
    ids = filled(queue, items)
    crowd = Crowd("queue", tmp_path / "got")
    unfinished = crowd.run(claimers, kills)
    assert bool(unfinished) is bool(kills), "kills that came too late prove nothing"
    found = all_items(queue)
    assert found.keys() == ids
    holders = [item.assignee for item in found.values() if item.assignee]
    assert len(holders) == len(set(holders))
    for name, id in crowd.got.items():
        assert (found[id].assignee, found[id].claim) == (name, f"{name}/{id}")
    assert len(holders) - len(crowd.got) <= unfinished

    async def give_back_what_the_dead_have() -> None:
        for id, item in found.items():
            if item.claim and item.assignee not in crowd.got:
                await queue.release(id, item.claim)

    asyncio.run(give_back_what_the_dead_have())
    ready = len(asyncio.run(queue.list_ready(ReadyFilter())))
    assert ready == items - len(crowd.got)
    assert crowd.run(ready) == 0
    assert set(crowd.got.values()) == ids
    assert len(crowd.got) == items


@pytest.mark.parametrize(("items", "claimers", "kills"), SIZES)
def test_concurrent_reservations_double_and_lose_nothing(
    queue: Queue, tmp_path: Path, items: int, claimers: int, kills: int
) -> None:
    """Every item is free, or has one reservation; a killed holder of the lock keeps nobody out."""
    ids = filled(queue, items)
    crowd = Crowd("reserve", tmp_path / "got")
    unfinished = crowd.run(claimers, kills)
    assert bool(unfinished) is bool(kills), "kills that came too late prove nothing"
    record = Record(Path(queue.path).with_name("reservations.jsonl"))
    reserved = {one.work_item_id: one.agent_id for one in record.all()}
    assert len(record.all()) == len(reserved)
    assert crowd.got.items() <= {(name, id) for id, name in reserved.items()}
    assert len(reserved) - len(crowd.got) <= unfinished
    free = items - len(reserved)
    assert crowd.run(free + 1) == 0
    assert {one.work_item_id for one in record.all()} == ids
    assert len(record.all()) == items
