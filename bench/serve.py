"""The server: from an ask to the eyes of many, what idle clients take, and an answer's way."""

import http.client
import json
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.environment import ROOT, Workshop, environment
from bench.figure import Figure
from bench.latency import sessions, write_all
from bench.logs import ask, beginning, event, line, log_of
from bench.paired import seconds
from bench.serving import Clients, Serve, serving

_CLIENTS = 50
_IDLE = 1000
_ANSWERS = 400
_WARM_UP = 20
_LAST_WAIT = 10
_HELD = 300
# Seconds.
_BEGINNING, _IDLE_SECONDS = 8, 30
_ID = re.compile(rb'"escalation":{"id":"([0-9a-f]{16})"')


def measure(shop: Workshop) -> Iterator[Figure]:
    """All of it, with 200 sessions."""
    yield from _latency(shop)
    yield from _memory(shop)
    yield from _answers(shop)
    yield from _held(shop)


def _latency(shop: Workshop) -> Iterator[Figure]:
    """100 writes a second in all, every fifth of them an ask."""
    with _served(shop) as (home, server):
        seen = _Seen()
        with Clients(server, _CLIENTS, seen.note):
            asked = write_all(home)
            seen.wait_for(len(asked) * _CLIENTS, _LAST_WAIT)
    waits = sorted(1000 * (at - asked[one]) for one, at in seen.all if one in asked)
    lost = len(asked) * _CLIENTS - len(waits)
    note = f"{len(asked)} asks, {_CLIENTS} clients" + (f", {lost} NOT SEEN" if lost else "")
    cuts = statistics.quantiles(waits, n=100)
    yield Figure(name="serve, ask to event, median", value=cuts[49], unit="ms", note=note)
    yield Figure(
        name="serve, ask to event, 99th percentile",
        value=cuts[98],
        unit="ms",
        at_most=60,
        asserted=False,
        note=note,
    )


def _memory(shop: Workshop) -> Iterator[Figure]:
    with _served(shop) as (_, server):
        before = server.memory()
        with Clients(server, _IDLE):
            after = server.memory()
    if before is None or after is None:
        yield Figure(name="serve, memory", value=None, note="this system does not tell")
        return
    yield Figure(
        name="serve, memory with 1,000 idle clients",
        value=after / 1e6,
        unit="MB",
        at_most=250,
        note=f"{before / 1e6:.0f} MB without",
    )


def _answers(shop: Workshop) -> Iterator[Figure]:
    """Both answered by turns: whatever disturbs the machine disturbs both."""
    with _served(shop, asks=_ANSWERS // 200) as (home, server), _bare(home) as bare:
        ids = [f"{event(2 + number):016x}" for number in range(_ANSWERS)]
        ours = http.client.HTTPConnection(server.host, server.port)
        times = [
            (
                seconds(_post(ours, f"/api/escalations/{one}/respond", one, server.headers)),
                seconds(_post(bare, f"/{one}", one, {"Content-Type": "application/json"})),
            )
            for one in ids
        ][_WARM_UP:]
        ours.close()
    real, least = (statistics.quantiles(side, n=100) for side in zip(*times, strict=True))
    for name, cut in (("median", 49), ("99th percentile", 98)):
        yield Figure(
            name=f"serve, an answer against a bare route with SQLite, {name}",
            value=real[cut] / least[cut],
            at_most=3 if cut == 98 else None,
            note=f"{1000 * real[cut]:.1f} ms against {1000 * least[cut]:.1f} ms",
        )


def _held(shop: Workshop) -> Iterator[Figure]:
    """What it takes while nothing happens, and answers wait for agents at work."""
    name = "serve, idle with 300 held answers, share of a core"
    with shop.home() as home:
        for number in range(_HELD):
            session = f"session-{number}"
            asked, answered = event(2 + 2 * number), event(3 + 2 * number)
            lines = ask(session) % asked + _answer(session, asked) % answered
            log_of(home, session).write_bytes(beginning(session) + lines)
        with serving(shop, home) as server:
            # Each is tried once, and the outcome written, before it is idle.
            time.sleep(_BEGINNING)
            before = server.processor()
            time.sleep(_IDLE_SECONDS)
            after = server.processor()
    if before is None or after is None:
        yield Figure(name=name, value=None, note="this system does not tell")
        return
    share = 100 * (after - before) / _IDLE_SECONDS
    yield Figure(name=name, value=share, unit="%", at_most=3)


def _answer(session: str, asked: int) -> bytes:
    payload: dict[str, object] = {
        "escalation_ids": [f"{asked:016x}"],
        "resolution_id": f"answer to {session}",
        "kind": "modify",
        "value": "Use the test key.",
        "resolved_by": "anna",
        "nonce": session,
        "via": "cli",
    }
    return line(session, "GembaResolve", payload)


@contextmanager
def _served(shop: Workshop, asks: int = 0) -> Iterator[tuple[Path, Serve]]:
    """A server over 200 sessions at work, each with so many asks numbered from event 2."""
    with shop.home() as home:
        for number, session in enumerate(sessions()):
            asked = [ask(session) % event(2 + number * asks + one) for one in range(asks)]
            log_of(home, session).write_bytes(beginning(session) + b"".join(asked))
        with serving(shop, home) as server:
            yield home, server


@contextmanager
def _bare(home: Path) -> Iterator[http.client.HTTPConnection]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.bare", str(home / "bare.db"), str(port)],
        env=environment(home),
        cwd=ROOT,
    )
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        _connect(connection)
        yield connection
    finally:
        connection.close()
        process.terminate()
        process.wait(_LAST_WAIT)


def _connect(connection: http.client.HTTPConnection) -> None:
    """As soon as it listens."""
    deadline = time.monotonic() + _LAST_WAIT
    while True:
        try:
            connection.connect()
            return
        except ConnectionRefusedError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.05)


def _post(
    connection: http.client.HTTPConnection, path: str, nonce: str, headers: dict[str, str]
) -> Callable[[], None]:
    body = json.dumps({"kind": "modify", "value": "Use the test key.", "nonce": nonce})

    def post() -> None:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path}: {answer.status} {said!r}")

    return post


class _Seen:
    """When each escalation was told to which client."""

    def __init__(self) -> None:
        self.all: list[tuple[str, float]] = []
        self._changed = threading.Condition()

    def note(self, line: bytes, at: float) -> None:
        found = _ID.search(line)
        if found is None:
            return
        with self._changed:
            self.all.append((found[1].decode(), at))
            self._changed.notify()

    def wait_for(self, count: int, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self.all) >= count, seconds)
