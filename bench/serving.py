"""`gemba serve` as a running process, and clients of its stream."""

import asyncio
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from bench.environment import Workshop, environment
from bench.watching import Process

_END_WAIT = 20
# A line holds a whole escalation.
_LONGEST_LINE = 4 << 20


class Serve(Process):
    """A running server: where it listens, and its token."""

    def __init__(self, pid: int, url: str, token: str) -> None:
        super().__init__(pid)
        where = urlsplit(url)
        self.host, self.port = str(where.hostname), int(where.port or 0)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


@contextmanager
def serving(shop: Workshop, home: Path) -> Iterator[Serve]:
    """The command, serving that home until the end of the context."""
    process = subprocess.Popen(
        shop.command("gemba", "serve", "--json"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment(home),
        cwd=home,
    )
    assert process.stdout is not None
    try:
        said = json.loads(process.stdout.readline())
        yield Serve(process.pid, said["url"], said["token"])
    finally:
        process.terminate()
        process.wait(_END_WAIT)
        process.stdout.close()


class Clients:
    """So many clients of the stream, in a thread of their own; a context, gone at its end.

    `told` is called with each line of data and the time at which it was read.
    """

    def __init__(
        self, server: Serve, count: int, told: Callable[[bytes, float], object] | None = None
    ) -> None:
        self._server = server
        self._count = count
        self._told = told or (lambda line, at: None)
        self._begun = threading.Semaphore(0)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Clients":
        self._thread.start()
        for _ in range(self._count):
            if not self._begun.acquire(timeout=60):
                raise TimeoutError("the server does not begin its streams")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        # Kept here: a task that nobody knows may be collected.
        tasks = [self._loop.create_task(self._client()) for _ in range(self._count)]
        self._loop.run_forever()
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _client(self) -> None:
        reader, writer = await asyncio.open_connection(
            self._server.host, self._server.port, limit=_LONGEST_LINE
        )
        headers = {"Host": f"{self._server.host}:{self._server.port}", **self._server.headers}
        lines = [f"{name}: {value}" for name, value in headers.items()]
        request = "\r\n".join(["GET /api/events HTTP/1.1", *lines, "", ""])
        writer.write(request.encode())
        try:
            await reader.readuntil(b"event: reset")
            self._begun.release()
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    self._told(line, time.perf_counter())
        finally:
            writer.close()
