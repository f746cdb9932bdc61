"""Runs Gemba's commands and kills each with SIGKILL at the durable step that it is told.

As a program (`python -m tests.torture.crash`) it reads runs from standard input, one JSON object a
line, forks for each, and answers with the process id and, once everything that the run started is
over, with the exit status (negative: the signal). Forked, so that a thousand runs do not import
everything a thousand times.
"""

import ctypes
import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import click

import gemba.cli
import gemba_ask.cli
import gemba_ask.waiting
import gemba_bridge.cli
import gemba_core.index.store
import gemba_core.log
import gemba_core.tail
import gemba_state.cli
from tests.torture import faults

T = TypeVar("T")
Patch = Callable[[str, Any], Any]

_COMMANDS: Mapping[str, Callable[[], object]] = {
    "gemba": gemba.cli.main,
    "gemba-ask": gemba_ask.cli.main,
    "gemba-bridge": gemba_bridge.cli.main,
    "gemba-state": gemba_state.cli.main,
}
# A run that hangs is ended by the kernel, so that no test waits for it for ever.
LONGEST = 60
_SUBREAPER = 36


@dataclass(frozen=True)
class Run:
    """One command to run: killed `when` (before, within, after) its step number `at`, if given.

    folder         of its files stdin, stdout, stderr, and trace: the steps that it reached
    fault          a planted fault of `faults`
    file_limit     no file may grow beyond so many bytes
    small_batches  a catch-up commits after each few frames
    deaf           nobody reads what is printed
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    folder: str
    at: int = 0
    when: str = "before"
    fault: str = ""
    file_limit: int = 0
    small_batches: bool = False
    deaf: bool = False

    def open(self, name: str) -> int:
        """One of its files: to read standard input from, or to append to."""
        path = os.path.join(self.folder, name)
        if name == "stdin":
            return os.open(path, os.O_RDONLY)
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def encoded(self) -> str:
        """The run as one line."""
        return json.dumps(asdict(self))


class Steps:
    """Numbers the durable steps of this process, and ends it at the chosen one."""

    def __init__(self, run: Run) -> None:
        self._at = run.at
        self._when = run.when
        self._count = 0
        self._write = os.write
        self._trace = run.open("trace")
        self._within = ""

    def install(self) -> None:
        """Wrap the primitives that leave something behind when the process dies."""
        # By setattr, because mypy refuses plain assignments to what another module defines.
        setattr(os, "write", self._writes)  # noqa: B010 - for mypy
        for name in ("fsync", "fdatasync", "ftruncate", "unlink", "rename", "replace"):
            setattr(os, name, self._counted(name, getattr(os, name)))
        # Taken from `os` when the module was imported.
        gemba_core.log._datasync = os.fdatasync
        run = subprocess.run
        setattr(subprocess, "run", lambda *a, **k: self._runs(run, *a, **k))  # noqa: B010 - for mypy
        connect = sqlite3.connect
        kind = _connection(self)
        setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=kind, **k))  # noqa: B010 - for mypy

    def step(self, name: str, action: Callable[[], T], torn: Callable[[], object] = int) -> T:
        """One durable step; `torn` does it half."""
        self._count += 1
        self._write(self._trace, f"{name}\n".encode())
        chosen = self._count == self._at
        if chosen and self._when == "before":
            _die()
        if chosen and self._when == "within":
            try:
                torn()
            finally:
                _die()
        try:
            return action()
        finally:
            if chosen:
                _die()

    def _writes(self, fd: int, data: bytes) -> int:
        if fd == 2:
            return self._write(fd, data)
        name = "print" if fd == 1 else self._within or "write"
        half = data[: len(data) // 2]
        return self.step(name, lambda: self._write(fd, data), lambda: self._write(fd, half))

    def _counted(self, name: str, primitive: Callable[..., T]) -> Callable[..., T]:
        return lambda *args, **named: self.step(name, lambda: primitive(*args, **named))

    def _runs(self, run: Callable[..., T], command: Sequence[str], **named: Any) -> T:
        words = " ".join(command)
        name = next((name for word, name in _TMUX.items() if word in words), "tmux")

        def action() -> T:
            # What the command is fed is written by this process: it may die there too.
            self._within = f"{name} input"
            try:
                return run(command, **named)
            finally:
                self._within = ""

        return self.step(name, action)


_TMUX = {"send-keys": "enter", "paste-buffer": "paste"}


def _connection(steps: Steps) -> type[sqlite3.Connection]:
    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if sql != "COMMIT":
                return super().execute(sql, *values)
            return steps.step("commit", lambda: super(Connection, self).execute(sql))

    return Connection


class _Printed(io.RawIOBase):
    """Standard output by way of os.write, so that a print is a step as well."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return os.write(1, bytes(data))


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _ran(run: Run) -> int:
    """The command's exit status, where it lives to have one."""
    signal.alarm(LONGEST)
    os.environ.clear()
    os.environ.update(run.env)
    _redirect(run)
    if run.fault:
        faults.plant(run.fault)
    if run.small_batches:
        gemba_core.tail._BLOCK, gemba_core.index.store._COMMIT_BYTES = 500, 1000
    if run.file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (run.file_limit, resource.RLIM_INFINITY))
    Steps(run).install()
    sys.argv = list(run.argv)
    code: object
    try:
        code = _COMMANDS[run.argv[0]]()
    except SystemExit as leaving:
        code = leaving.code
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _redirect(run: Run) -> None:
    os.dup2(run.open("stdin"), 0)
    os.dup2(run.open("stderr"), 2)
    if run.deaf:
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, 1)
    else:
        os.dup2(run.open("stdout"), 1)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Printed()), "utf-8")


def _import_all(group: click.Group) -> None:
    """Import every command of the group now: they are imported when they are called."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            _import_all(command)


def _serve() -> None:
    _import_all(gemba.cli.gemba)
    # A killed run leaves the tmux that it had just started: the run is over when that is.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    while line := sys.stdin.readline():
        pid = os.fork()
        if pid == 0:
            _answer_and_leave(Run(**json.loads(line)))
        print(pid, flush=True)
        _, status = os.waitpid(pid, 0)
        _reap_the_rest()
        print(os.waitstatus_to_exitcode(status), flush=True)


def _answer_and_leave(run: Run) -> None:
    code = 70
    try:
        code = _ran(run)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(code)


def _reap_the_rest() -> None:
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


if __name__ == "__main__":
    _serve()
