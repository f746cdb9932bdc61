"""A private tmux server for one test."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import wait_until

_NO_ENV: Mapping[str, str] = {}


@dataclass(frozen=True)
class Pane:
    """A terminal pane: tmux's name for it (`%0`) and the process that it was started with."""

    pane_id: str
    pid: int


class TmuxServer:
    """A tmux server with its own socket and no configuration, apart from any the user has.

    It lives until `close`, with or without panes. Programs in its panes inherit the environment of
    the process at the time the server was started.
    """

    def __init__(self) -> None:
        # A socket's path may not be longer than about 100 bytes, and pytest's folders are long.
        self._folder = Path(tempfile.mkdtemp(prefix="gemba-tmux-", dir="/tmp"))
        try:
            # In one call: a server without sessions ends at once unless told otherwise.
            self.run("start-server", ";", "set-option", "-s", "exit-empty", "off")
            self._server_pid = int(self.run("display-message", "-p", "#{pid}"))
        except BaseException:
            shutil.rmtree(self._folder)
            raise

    @property
    def socket(self) -> Path:
        """The server's socket."""
        return self._folder / "tmux"

    @property
    def server_pid(self) -> int:
        """The server's process."""
        return self._server_pid

    def run(self, *args: str) -> str:
        """Run one tmux command and return its output.

        Raises AssertionError with what tmux said when it fails. An argument ";" separates two
        commands, as everywhere in tmux.
        """
        done = subprocess.run(
            ["tmux", "-S", str(self.socket), "-f", "/dev/null", *args],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=30,
            check=False,
        )
        assert done.returncode == 0, f"tmux {' '.join(args)}: {done.stderr.strip()}"
        return done.stdout

    def new_pane(
        self,
        argv: Sequence[str],
        env: Mapping[str, str] = _NO_ENV,
        *,
        width: int = 120,
        height: int = 40,
    ) -> Pane:
        """Start a program in a pane of its own (in a session of its own) and return at once."""
        # Through env(1), which execs: a lone argument would go to a shell, and -e is not in every
        # tmux. The pane's process is still the program itself.
        command = ["env", *(f"{name}={value}" for name, value in env.items()), *argv]
        said = self.run(
            "new-session",
            "-d",
            "-P",
            "-F",
            "#{pane_id} #{pane_pid}",
            "-x",
            str(width),
            "-y",
            str(height),
            "--",
            *map(_literal, command),
        )
        pane_id, pid = said.split()
        return Pane(pane_id, int(pid))

    def capture(self, pane: Pane) -> str:
        """What the pane shows now."""
        return self.run("capture-pane", "-p", "-t", pane.pane_id)

    def send_keys(self, pane: Pane, *keys: str, literal: bool = False) -> None:
        """Type: each of `keys` a tmux key name (`Enter`, `C-c`) or, with `literal`, plain text."""
        flags = ["-l"] if literal else []
        self.run("send-keys", *flags, "-t", pane.pane_id, "--", *map(_literal, keys))

    def environment(self, pane: Pane) -> dict[str, str]:
        """The values of TMUX and TMUX_PANE that a process in the pane has."""
        session = self.run("display-message", "-p", "-t", pane.pane_id, "#{session_id}")
        number = session.strip().removeprefix("$")
        return {"TMUX": f"{self.socket},{self.server_pid},{number}", "TMUX_PANE": pane.pane_id}

    def close(self) -> None:
        """Kill the server and the panes' programs, and see that they are gone; twice is harmless.

        Also after a test that ended the server itself: then only the folder is left to remove.
        """
        if not self._folder.exists():
            return
        panes = self._pane_pids()
        subprocess.run(
            ["tmux", "-S", str(self.socket), "kill-server"],
            capture_output=True,
            timeout=30,
            check=False,
        )
        # tmux hangs up its panes; a program that ignores that is killed after a moment.
        for pid in (self.server_pid, *panes):
            _end(pid)
        shutil.rmtree(self._folder)

    def _pane_pids(self) -> list[int]:
        try:
            return [int(pid) for pid in self.run("list-panes", "-a", "-F", "#{pane_pid}").split()]
        except AssertionError:
            # No panes, or no server any more.
            return []


def _literal(argument: str) -> str:
    """tmux takes a semicolon at an argument's end for the end of its command."""
    return f"{argument[:-1]}\\;" if argument.endswith(";") else argument


def _end(pid: int) -> None:
    try:
        wait_until(lambda: not _alive(pid), timeout=2.0, what=f"the end of process {pid}")
    except AssertionError:
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not _alive(pid), what=f"the end of process {pid} after SIGKILL")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # One that has ended may wait long for a container's first process to collect it.
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    except ProcessLookupError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")
