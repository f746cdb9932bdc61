"""The newest events, and what a client that follows them hears."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba.web.events import Hub
from gemba.web.ring import Ring


def ring(*events: bytes, most: int = 100, most_bytes: int = 1000) -> Ring:
    """A ring that begins with sequence 10."""
    made = Ring(10, most=most, most_bytes=most_bytes)
    for event in events:
        made.add(event)
    return made


@given(
    st.lists(st.binary(min_size=1, max_size=9), max_size=30), st.integers(1, 9), st.integers(0, 45)
)
def test_what_came_after_a_sequence_is_whole_or_none(
    added: list[bytes], most: int, sequence: int
) -> None:
    """Exactly the events behind it, or nothing where one of them is gone or it is not ours."""
    behind = added[sequence - 10 :] if 10 <= sequence <= 10 + len(added) else None
    found = ring(*added, most=most).since(sequence)
    assert found == (behind if behind is not None and len(behind) <= most else None)


def test_it_is_bounded_in_bytes() -> None:
    """The newest event stays, however large."""
    held = ring(b"a" * 600, b"b" * 600, most_bytes=1000)
    assert held.since(11) == [b"b" * 600]
    assert held.since(10) is None
    held.add(b"c" * 5000)
    assert held.since(12) == [b"c" * 5000]


def test_a_client_that_is_too_slow_is_cut() -> None:
    """Its stream ends, and when it comes back it begins anew."""

    async def follow() -> None:
        hub = Hub(Ring(10, most=3))
        stream = hub.stream(None)
        assert b"event: reset" in await anext(stream)
        hub.tell([("escalation", b"%d" % number) for number in range(4)])
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        assert hub.streams == 0
        assert b"event: reset" in await anext(hub.stream("0-10"))

    asyncio.run(follow())


def test_a_client_hears_what_comes_while_it_waits() -> None:
    """Each event once, with an id from which another stream goes on."""

    async def follow() -> None:
        hub = Hub(Ring(10))
        stream: AsyncIterator[bytes] = hub.stream(None)
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        hub.tell([("escalation", b"1"), ("session", b"2")])
        assert await waiting == (
            b"id: 0-11\nevent: escalation\ndata: 1\n\nid: 0-12\nevent: session\ndata: 2\n\n"
        )
        assert await anext(hub.stream("0-11")) == b"id: 0-12\nevent: session\ndata: 2\n\n"

    asyncio.run(follow())
