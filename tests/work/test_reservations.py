"""Reserving one item: whose it is, for how long, and what failure leaves behind."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.orchestration.assignment import Reservation
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.lock import held
from gemba_core.orchestration.work.reservations import reserve
from tests.waiting import wait_until
from tests.work.programs.claimers import Record

MADE = datetime(2030, 1, 2, tzinfo=UTC)


def items(*ids: str) -> tuple[WorkItem, ...]:
    """Ready ones."""
    ready = StateCategory.READY
    return tuple(
        WorkItem(id=id, title=id, status="open", state_category=ready, created_at=MADE)
        for id in ids
    )


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """No reservation yet."""
    return Record(tmp_path / "reservations.jsonl")


def reserved(record: Record, ready: Sequence[WorkItem], ttl: float = 300.0) -> Reservation | None:
    """What ada gets of these."""

    async def listed() -> Sequence[WorkItem]:
        return ready

    return asyncio.run(
        reserve(
            ready=listed,
            is_reserved=lambda id: id in record.held(),
            record=record.add,
            agent_id="ada",
            ttl=ttl,
        )
    )


def test_the_first_that_nobody_has_is_reserved(record: Record) -> None:
    """In the order in which they are ready."""
    first, second = reserved(record, items("a", "b")), reserved(record, items("a", "b"))
    assert first is not None
    assert second is not None
    assert (first.work_item_id, second.work_item_id) == ("a", "b")
    assert record.all() == [first, second]
    assert reserved(record, items("a", "b")) is None


def test_a_reservation_lasts_as_long_as_is_said(record: Record) -> None:
    """Five minutes, or what the caller wants."""
    before = datetime.now(UTC)
    usual, short = reserved(record, items("a")), reserved(record, items("b"), ttl=1.0)
    after = datetime.now(UTC)
    assert usual is not None
    assert short is not None
    assert before <= usual.expires_at - timedelta(minutes=5) <= after
    assert before <= short.expires_at - timedelta(seconds=1) <= after


def test_a_reservation_returns_by_itself(record: Record) -> None:
    """Nobody has to release it, and nothing has to run."""
    assert reserved(record, items("a"), ttl=0.1) is not None
    again = wait_until(lambda: reserved(record, items("a")), what="the item to be free")
    assert again is not None
    first, second = record.all()
    assert second.expires_at - timedelta(seconds=300) >= first.expires_at


def test_what_cannot_be_recorded_is_not_reserved(record: Record) -> None:
    """And the lock is free again."""

    def fail(_: Reservation) -> None:
        raise OSError("disk full")

    async def listed() -> Sequence[WorkItem]:
        return items("a")

    with pytest.raises(OSError, match="disk full"):
        asyncio.run(
            reserve(
                ready=listed,
                is_reserved=lambda id: id in record.held(),
                record=fail,
                agent_id="ada",
            )
        )
    assert reserved(record, items("a")) is not None


def test_a_cancelled_wait_for_the_lock_is_over_at_once() -> None:
    """Nothing is reserved, and the lock is not taken later."""

    async def cancel_a_wait() -> None:
        path = home.reservations_lock_path()
        async with held(path):
            waiting = asyncio.ensure_future(held(path).__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        async with held(path, patience=0.0):
            pass

    asyncio.run(cancel_a_wait())


def test_a_lock_that_is_held_too_long_is_told() -> None:
    """Which one, and that it may be tried again."""

    async def wait_in_vain() -> None:
        path = home.reservations_lock_path()
        async with held(path), held(path, patience=0.05):
            pass

    with pytest.raises(AdaptorError, match=r"reservations\.lock") as caught:
        asyncio.run(wait_in_vain())
    assert (caught.value.kind, caught.value.retryable) == (ErrorKind.ADAPTOR_DEGRADED, True)
