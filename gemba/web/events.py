"""What happens, as it happens: one ring of events, and a stream of it for each client."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Request, Response
from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.types import Receive, Scope, Send

from gemba.web.problem import problem
from gemba.web.ring import Ring

# Streams at once; each holds a connection.
MOST_STREAMS = 1500
_PING = 15
# Seconds that a client may leave what we send unread before its stream is cut.
_PATIENCE = 30.0


class Hub:
    """The events of this server. All of it belongs to the event loop's thread.

    An event's id is the index's generation and the ring's sequence. A stream
    that cannot go on where its client was begins with `reset`: fetch all anew.
    No event is lost or doubled between one id and the next.
    """

    def __init__(self, ring: Ring | None = None) -> None:
        self._ring = ring or Ring(time.time_ns() // 1000)
        self._generation = 0
        self._news = asyncio.Event()
        self._is_closed = False
        self.has_begun = False
        self.streams = 0

    def begin(self, generation: int) -> None:
        """The index was opened, or made anew: what clients have may be anything."""
        self._generation, self.has_begun = generation, True
        self._ring.clear()
        self.tell([("reset", b"{}")])

    def tell(self, events: list[tuple[str, bytes]]) -> None:
        """Tell every client; each event is its name and its JSON."""
        for name, data in events:
            self._ring.add(_encoded(self._id(self._ring.last + 1), name, data))
        told, self._news = self._news, asyncio.Event()
        told.set()

    def close(self) -> None:
        """End every stream: the server ends."""
        self._is_closed = True
        self.tell([])

    async def stream(self, last_id: str | None) -> AsyncIterator[bytes]:
        """All that comes after that id, in chunks of one or more events.

        Ends where the client is so slow that its next event is gone, and with the server.
        """
        self.streams += 1
        try:
            at = self._sequence(last_id)
            if at is None:
                at = self._ring.last
                yield _encoded(self._id(at), "reset", b"{}")
            while (events := self._ring.since(at)) is not None and not self._is_closed:
                news = self._news
                at += len(events)
                if events:
                    yield b"".join(events)
                else:
                    await news.wait()
        finally:
            self.streams -= 1

    def _id(self, sequence: int) -> str:
        return f"{self._generation}-{sequence}"

    def _sequence(self, given: str | None) -> int | None:
        """The sequence in that id, if we can go on from there."""
        generation, _, sequence = (given or "").partition("-")
        if not sequence.isascii() or not sequence.isdigit() or len(sequence) > 20:
            return None
        if generation != str(self._generation) or self._ring.since(int(sequence)) is None:
            return None
        return int(sequence)


def _encoded(id: str, name: str, data: bytes) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (id.encode(), name.encode(), data)


class _Stream(EventSourceResponse):
    """A stream that ends quietly where its client does not read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            return


def events_router(hub: Hub) -> APIRouter:
    """`GET /api/events`."""
    router = APIRouter()

    @router.get(
        "/api/events",
        tags=["events"],
        response_class=Response,
        responses={
            200: {
                "description": "Events: escalation, session, orchestration, reset, ping.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            }
        },
    )
    async def events(
        request: Request, last_event_id: Annotated[str | None, Header(max_length=64)] = None
    ) -> Response:
        """What happens from now on, or since Last-Event-ID (docs/serve.md)."""
        if hub.streams >= MOST_STREAMS:
            return problem(503, "full", "too many streams are open", retryable=True)
        return _Stream(
            hub.stream(last_event_id),
            ping=_PING,
            ping_message_factory=_ping,
            send_timeout=_PATIENCE,
        )

    return router


def _ping() -> ServerSentEvent:
    return ServerSentEvent(msgspec.json.encode({}).decode(), event="ping")
