"""How much one peer may ask for: requests a second, wrong tokens, and bytes in a body."""

import time
from collections import OrderedDict

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gemba.web.problem import problem

# An answer has at most 1 MiB; each of its characters may be six in JSON.
MAX_BODY = 6 * (1 << 20) + (64 << 10)
_PEERS = 1024
# Requests a second, and how many of them may come at once.
_RATE, _BURST = 500.0, 1000.0
# The same of requests without the token: a program that tries them is slowed down to nothing.
_WRONG_RATE, _WRONG_BURST = 2.0, 50.0


class Bucket:
    """So many at once, then so many a second."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, time.monotonic()

    @property
    def wait(self) -> float:
        """Seconds until one more may come; 0 for now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        return max(0.0, (1 - self._left) / self._rate)

    def take(self) -> None:
        """One has come."""
        self._left -= 1


class Limits:
    """The middleware that counts, by the peer's address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._peers: OrderedDict[str, tuple[Bucket, Bucket]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        every, wrong = self._buckets(scope)
        wait = max(every.wait, wrong.wait)
        if wait > 0:
            await _come_back(wait)(scope, receive, send)
            return
        every.take()
        body = _Body(receive)
        if body.is_declared_too_long(Headers(scope=scope)):
            await _TOO_LONG(scope, receive, send)
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 401:
                wrong.take()
            await send(message)

        try:
            await self._app(scope, body.receive, counted)
        except _TooLong:
            await _TOO_LONG(scope, receive, send)

    def _buckets(self, scope: Scope) -> tuple[Bucket, Bucket]:
        peer = scope["client"][0] if scope.get("client") else ""
        found = self._peers.pop(peer, None)
        found = found or (Bucket(_RATE, _BURST), Bucket(_WRONG_RATE, _WRONG_BURST))
        self._peers[peer] = found
        if len(self._peers) > _PEERS:
            self._peers.popitem(last=False)
        return found


class _TooLong(BaseException):
    """More bytes came than a body may have. No Exception: nobody between us may make it a 400."""


class _Body:
    """A request's body, counted as it comes."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0

    def is_declared_too_long(self, headers: Headers) -> bool:
        length = headers.get("content-length", "0")
        return not length.isascii() or not length.isdigit() or int(length) > MAX_BODY

    async def receive(self) -> Message:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > MAX_BODY:
            raise _TooLong
        return message


_TOO_LONG = problem(413, "too_large", f"the body is longer than {MAX_BODY} bytes")


def _come_back(wait: float) -> Response:
    return problem(
        429,
        "too_many",
        "too many requests, or too many with a wrong token; wait a little",
        retryable=True,
        headers={"Retry-After": str(int(wait) + 1)},
    )
