"""A server that serves this test's home, and clients of it."""

import json
import queue
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from gemba.web.plane import bound
from gemba.web.server import Server
from tests.commands import SCRIPTS, environment
from tests.waiting import wait_until

_PATIENCE = 10.0


@dataclass(frozen=True)
class Event:
    """One event as the stream tells it."""

    id: str
    name: str
    data: Any


class Served:
    """A running server, as a program with the token sees it."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.http = httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=_PATIENCE
        )

    def wait_until_ok(self) -> None:
        """It follows the logs: what is asked from now on is told."""
        wait_until(lambda: self.get("health")["status"] == "ok", timeout=30, what="the server")

    def get(self, path: str, **query: Any) -> Any:
        """What it answers; it must succeed."""
        answer = self.http.get(f"/api/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> httpx.Response:
        """Its answer."""
        return self.http.post(f"/api/{path}", json=body)

    def respond(self, item: str, value: str = "blue", nonce: str = "n") -> httpx.Response:
        """Answer it in words."""
        return self.post(f"escalations/{item}/respond", kind="modify", value=value, nonce=nonce)

    def anybody(self) -> httpx.Client:
        """A client without the token."""
        return httpx.Client(base_url=self.url, timeout=_PATIENCE)

    @contextmanager
    def stream(self, last_id: str | None = None) -> Iterator["Stream"]:
        """Its events, from now on or from that one on."""
        headers = {"Last-Event-ID": last_id} if last_id else {}
        with self.http.stream("GET", "/api/events", headers=headers) as answer:
            assert answer.status_code == 200
            stream = Stream(answer)
            try:
                yield stream
            finally:
                stream.cut()


class Stream:
    """What a client hears."""

    def __init__(self, answer: httpx.Response) -> None:
        self._heard: queue.Queue[Event] = queue.Queue()
        self._socket: socket.socket = answer.extensions["network_stream"].get_extra_info("socket")
        self._thread = threading.Thread(target=self._listen, args=(answer,))
        self._thread.start()

    def cut(self) -> None:
        """The connection is gone; twice is harmless."""
        # Closing alone does not wake the thread that reads.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def next(self, name: str) -> Event:
        """The next event, which must have that name."""
        event = self.next_any()
        assert event.name == name, event
        return event

    def next_any(self) -> Event:
        """The next event, whatever it is."""
        return self._heard.get(timeout=_PATIENCE)

    def until(self, item: str, kind: str) -> list[Event]:
        """All events up to the one that tells this of that escalation."""
        events = []
        while True:
            event = self.next_any()
            events.append(event)
            if event.name == "escalation" and (
                event.data["escalation"]["id"],
                event.data["event"],
            ) == (item, kind):
                return events

    def _listen(self, answer: httpx.Response) -> None:
        fields: dict[str, str] = {}
        try:
            for line in answer.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif fields.get("event") != "ping":
                    self._heard.put(
                        Event(fields["id"], fields["event"], json.loads(fields["data"]))
                    )
        except (httpx.HTTPError, httpx.StreamError):
            return  # the test has heard enough, or the server is gone


@contextmanager
def served(orchestration: str = "none") -> Iterator[Served]:
    """A server in a thread of this process: starting one costs little."""
    plane = bound(orchestration)
    with Server("127.0.0.1", 0, token_file=None, operator="anna", plane=plane) as server:
        running = server.prepared()
        thread = threading.Thread(target=running.run, kwargs={"sockets": [server.socket]})
        thread.start()
        try:
            wait_until(lambda: running.started, what="the server")
            with (known := Served(server.url, server.door.token)).http:
                known.wait_until_ok()
                yield known
        finally:
            running.should_exit = True
            thread.join()


@dataclass(frozen=True)
class Process:
    """`gemba serve` as it is typed."""

    process: subprocess.Popen[bytes]
    server: Served

    def end(self) -> tuple[int, str]:
        """SIGTERM: its exit code, and what stands on standard error."""
        self.process.terminate()
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err.decode()


@contextmanager
def serving(
    *args: str, env: dict[str, str] | None = None, cwd: Path | None = None
) -> Iterator[Process]:
    """The command; it listens when this begins, and is gone afterwards."""
    command = [str(SCRIPTS / "gemba"), "serve", "--json", *args]
    with subprocess.Popen(
        command, env=environment(env), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.communicate()[1].decode()
            told = json.loads(line)
            with (server := Served(told["url"], told["token"])).http:
                server.wait_until_ok()
                yield Process(process, server)
        finally:
            process.kill()
