"""Starting runs: a few fork servers of `tests.torture.crash`, each with one run at a time."""

import queue
import select
import subprocess
import sys
import threading
from pathlib import Path

from tests.torture.crash import LONGEST, Run

ROOT = Path(__file__).parents[2]


class Machine:
    """The fork servers. Threads may share it; `close` ends them."""

    def __init__(self, env: dict[str, str], size: int) -> None:
        self._env = env
        self._size = size
        self._idle: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()
        self._servers: list[subprocess.Popen[bytes]] = []
        self._growing = threading.Lock()

    def start(self, run: Run) -> "Running":
        """Start it as soon as a server is free."""
        server = self._taken()
        assert server.stdin
        server.stdin.write(run.encoded().encode() + b"\n")
        return Running(server, self._idle)

    def _taken(self) -> "subprocess.Popen[bytes]":
        """A server that is free; a new one while there are not enough."""
        with self._growing:
            if self._idle.empty() and len(self._servers) < self._size:
                self._servers.append(_server(self._env))
                return self._servers[-1]
        return self._idle.get()

    def close(self) -> None:
        """End the servers."""
        for server in self._servers:
            assert server.stdin
            assert server.stdout
            server.stdin.close()
            server.wait(timeout=2 * LONGEST)
            server.stdout.close()


class Running:
    """A run that was started. `wait` must be called."""

    def __init__(
        self, server: subprocess.Popen[bytes], idle: "queue.SimpleQueue[subprocess.Popen[bytes]]"
    ) -> None:
        self._server = server
        self._idle = idle
        self.pid = self._line()

    def is_over(self) -> bool:
        """Whether `wait` would return at once."""
        assert self._server.stdout
        return bool(select.select([self._server.stdout], [], [], 0)[0])

    def wait(self) -> int:
        """Its exit status; negative: the signal that ended it."""
        code = self._line()
        self._idle.put(self._server)
        return code

    def _line(self) -> int:
        assert self._server.stdout
        line = self._server.stdout.readline()
        assert line, "a fork server ended"
        return int(line)


def _server(env: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.torture.crash"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Unbuffered: select must see what was not read yet.
        bufsize=0,
        cwd=ROOT,
        env=env,
    )
