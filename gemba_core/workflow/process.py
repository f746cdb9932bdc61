"""A program in a process group of its own, held back until its id is on the record.

Whoever starts it and dies before that lets it end without having done anything;
whoever dies after it is known by (pid, start time), and can be ended by the next.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from gemba_core.processes import ancestry, is_alive

# Waits for a line on its standard input; then it becomes the program, which reads that file.
_HELD = 'read -r go && exec "$@" <"$0"'
_GRACE = 2.0
_POLL = 0.02


class Process:
    """A program that was started, and waits for `go`. Standard output and error go to files."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        folder: str,
        environment: Mapping[str, str],
        stdin: str,
        stdout: str,
        stderr: str,
    ) -> None:
        """Raises OSError."""
        with open(stdout, "wb", opener=_private) as out, open(stderr, "wb", opener=_private) as err:
            self._popen = subprocess.Popen(
                ["/bin/sh", "-c", _HELD, stdin, *argv],
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        self.pid = self._popen.pid
        known = ancestry(self.pid)
        # 0 where the system does not tell.
        self.started = known[0][1] if known else 0

    def go(self) -> None:
        """Let it begin."""
        assert self._popen.stdin is not None
        try:
            with self._popen.stdin as gate:
                gate.write(b"go\n")
        except BrokenPipeError:
            pass  # it was ended before it began: `wait` tells

    def wait(self, limit: float) -> int | None:
        """Its exit code (negative: the signal); None if it was ended after `limit` seconds.

        Whatever interrupts the waiting ends the whole group.
        """
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            self.end()

        timer = threading.Timer(min(limit, threading.TIMEOUT_MAX), end)
        timer.daemon = True
        timer.start()
        try:
            code = self._popen.wait()
        except BaseException:
            self.end()
            raise
        finally:
            timer.cancel()
        return None if is_late.is_set() else code

    def end(self) -> None:
        """End the group: asked first, killed after 2 s; twice is harmless."""
        _end_group(self.pid, lambda: self._popen.poll() is None)


class Stopping(Exception):
    """The run is being ended: what is cut short by that has not failed."""


class Running:
    """The processes that run side by side, to be ended together."""

    def __init__(self) -> None:
        self._processes: set[Process] = set()
        self._lock = threading.Lock()
        self._is_stopping = False

    @contextmanager
    def one(self, process: Process) -> Iterator[None]:
        """While this process runs. Raises Stopping if all are ended meanwhile."""
        with self._lock:
            self._processes.add(process)
        try:
            if self._is_stopping:
                process.end()
            yield
        except BaseException:
            process.end()
            raise
        finally:
            with self._lock:
                self._processes.discard(process)
        if self._is_stopping:
            raise Stopping

    def end_all(self) -> None:
        """End them, and those that have yet to begin."""
        with self._lock:
            self._is_stopping = True
            ending = list(self._processes)
        for process in ending:
            process.end()


def end_orphan(pid: int, started: int) -> bool:
    """End the group of a process that a dead runner has left; whether it was still there."""
    process = (pid, started)
    if not is_alive(process):
        return False
    _end_group(pid, lambda: is_alive(process))
    return True


def _end_group(pid: int, is_running: Callable[[], bool]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            return
        deadline = time.monotonic() + _GRACE
        while is_running() and time.monotonic() < deadline:
            time.sleep(_POLL)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)
