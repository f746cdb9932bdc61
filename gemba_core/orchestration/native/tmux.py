"""The tmux server of the sessions that we keep: one of this home's own, one session for each.

Nothing of the operator's own tmux is touched. The server is there as long as it
has a pane, and whoever opens the first one starts it: its environment is bare,
so that it belongs to no session itself. Every call is one tmux process.
"""

import os
import shutil
import stat
import subprocess

from gemba_core import caller, home
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native.panes import Pane
from gemba_core.panes import kept_socket, name_of

_TIMEOUT = 10.0
# Of a server that ends with its last pane while the next one is asked for.
_TRIES = 3
_SERVER_GONE = (b"server exited", b"lost server", b"no server")
_WIDTH, _HEIGHT = "200", "50"
_HISTORY = "20000"
_FIELDS = "#{session_name} #{pid} #{pane_id} #{pane_pid} #{window_activity} #{?pane_dead,1,0}"
# The part of ours that a program in the pane may see.
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "SHELL", "USER", "TERM")


class TmuxServer:
    """That server, running or not: a PaneServer."""

    def __init__(self, socket: str | None = None) -> None:
        self.socket = socket or kept_socket()

    def is_there(self) -> bool:
        return shutil.which("tmux") is not None

    def open(self, session_id: str, argv: list[str], folder: str) -> Pane:
        _make_own_dir(os.path.dirname(self.socket))
        name = name_of(session_id)
        command = (
            *("start-server", ";", "set-option", "-g", "history-limit", _HISTORY, ";"),
            *("set-option", "-g", "remain-on-exit", "on", ";"),
            *("new-session", "-d", "-s", name, "-x", _WIDTH, "-y", _HEIGHT, "-c", folder),
            *("-P", "-F", _FIELDS, "--", *argv),
        )
        for _ in range(_TRIES):
            done = self._run(*command)
            if done.returncode == 0:
                return _pane(done.stdout.decode().strip())
            if not any(word in done.stderr for word in _SERVER_GONE):
                break
        told = done.stderr.decode(errors="replace").strip()
        raise AdaptorError(ErrorKind.PROCESS_FAILED, f"tmux opened no pane: {told}")

    def panes(self) -> dict[str, Pane]:
        done = self._run("list-panes", "-a", "-F", _FIELDS)
        found = [_pane(line) for line in done.stdout.decode(errors="replace").splitlines()]
        return {pane.name: pane for pane in found}

    def transcript(self, session_id: str) -> str | None:
        target = f"={name_of(session_id)}:"
        done = self._run("capture-pane", "-p", "-J", "-S", "-", "-t", target)
        return None if done.returncode else done.stdout.decode(errors="replace").rstrip()

    def press(self, session_id: str, key: str) -> None:
        self._run("send-keys", "-t", f"={name_of(session_id)}:", key)

    def close(self, session_id: str) -> None:
        self._run("kill-session", "-t", f"={name_of(session_id)}")

    def _run(self, *command: str) -> "subprocess.CompletedProcess[bytes]":
        # -f: the operator's own settings are for the operator's own server.
        argv = ["tmux", "-u", "-S", self.socket, "-f", os.devnull, *map(_literal, command)]
        inherited = caller.environment()
        try:
            return subprocess.run(
                argv,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TIMEOUT,
                check=False,
                cwd="/",
                env={name: inherited[name] for name in _PASSED_ON if name in inherited},
            )
        except subprocess.TimeoutExpired as error:
            raise _degraded(f"tmux does not answer on {self.socket}", error) from error
        except OSError as error:
            told = error.strerror or error
            raise _degraded(f"tmux can't be run: {told}; is it installed?", error) from error


def _pane(line: str) -> Pane:
    name, server, pane_id, pid, active_at, dead = line.split(" ")
    return Pane(name, int(server), pane_id, int(pid), float(active_at or 0), dead == "1")


def _literal(word: str) -> str:
    """tmux takes a semicolon at a word's end for the end of its command."""
    return f"{word[:-1]}\\;" if word.endswith(";") and word != ";" else word


def _make_own_dir(path: str) -> None:
    """The folder, ours alone: in /tmp somebody else may have made it first."""
    try:
        home.make_private_dir(path)
        status = os.stat(path, follow_symlinks=False)
    except OSError as error:
        told = f"{path}: {error.strerror}: no place for tmux's socket"
        raise _degraded(told, error) from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise _degraded(f"{path}: it should be a folder of your own, 0700; move it away")


def _degraded(told: str, cause: Exception | None = None) -> AdaptorError:
    return AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told, cause=cause)
