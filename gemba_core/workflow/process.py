"""A program in a process group of its own, held back until its id is on the record.

Whoever starts it and dies before that lets it end without having done anything;
whoever dies after it is known by (pid, start time), and can be ended by the next.
"""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from gemba_core.processes import ancestry
from gemba_core.workflow.group import Group, end

# Waits for a line on its standard input; then it becomes the program, which reads that file.
_HELD = 'read -r go && exec "$@" <"$0"'


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
        known = ancestry(self._popen.pid)
        self.group = Group(self._popen.pid, known[0][1] if known else 0)

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

        However the waiting ends, nothing of the group is left: what the program has
        started in the background ends with it.
        """
        is_late = threading.Event()

        def end_late() -> None:
            is_late.set()
            self.end()

        timer = threading.Timer(min(limit, threading.TIMEOUT_MAX), end_late)
        timer.daemon = True
        timer.start()
        try:
            code = self._popen.wait()
        finally:
            timer.cancel()
            self.end()
        return None if is_late.is_set() else code

    def end(self) -> None:
        """End the group; twice is harmless."""
        end([self.group])


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
            ending = [process.group for process in self._processes]
        end(ending)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)
