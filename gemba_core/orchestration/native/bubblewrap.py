"""bubblewrap: a program that sees the machine read-only, and of the rest what it is given.

The mounts are a list of places; a deeper one is laid over a higher one, whatever
the order of the list. Network and processor are not limited.
"""

import functools
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_TRY = 10.0

# Everybody's folders for short-lived files, and those of the sockets of services: a socket can
# be connected to through a read-only mount too.
_HIDDEN = ("/tmp", "/var/tmp", "/run", "/var/run")

# What leads out of the sandbox, or means a folder that is not there inside.
_UNSET = (
    "TMUX",
    "TMUX_PANE",
    "TMUX_TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "SSH_AUTH_SOCK",
    "GPG_AGENT_INFO",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)


@dataclass(frozen=True, slots=True)
class Mount:
    """What is to be seen at `place`: `source`, or an empty folder where that is None.

    Both absolute. A source that is not there is left out.
    """

    place: str
    source: str | None = None
    is_writable: bool = False


def shown(path: str, *, is_writable: bool = False) -> Mount:
    """The path at its own place; a link as what it leads to, since that may be hidden."""
    folder, name = os.path.split(os.path.abspath(path))
    place = os.path.join(os.path.realpath(folder), name)
    return Mount(place, os.path.realpath(path), is_writable)


def hidden(path: str) -> Mount:
    """An empty folder, gone with the program, in that one's place."""
    return Mount(os.path.realpath(path))


def wrapped(program: Sequence[str], *, folder: str, mounts: Iterable[Mount]) -> tuple[str, ...]:
    """The words that run the program so, in that folder, with only these mounts beside the usual.

    It dies with the process that starts it, which in a pane is tmux. It is to be
    the pane's own program: a shell that read the same terminal after it could be
    sent keys from inside.
    """
    return (
        *_base(),
        *(word for mount in _in_order(mounts) for word in _words(mount)),
        *("--chdir", folder, "--setenv", "TMPDIR", "/tmp"),
        *(word for name in _UNSET for word in ("--unsetenv", name)),
        "--",
        *program,
    )


@functools.cache
def unavailable() -> str | None:
    """Why no program can be run so; None where it can. Tried once for a process."""
    if shutil.which("bwrap") is None:
        return "bubblewrap (bwrap) is not installed; install it with the system's package manager"
    if "/" in _existing(_HIDDEN) or os.path.realpath(os.path.expanduser("~")) == "/":
        return "the home folder is /, so nothing could be hidden in it; set HOME to a folder"
    try:
        done = subprocess.run(
            wrapped(["true"], folder="/", mounts=()),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TRY,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    if done.returncode == 0:
        return None
    said = done.stderr.decode(errors="replace").strip()
    return (
        f"bubblewrap does not work here: {said or f'exit {done.returncode}'}; "
        "the system may forbid user namespaces"
    )


def _base() -> tuple[str, ...]:
    return (
        *("bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc"),
        # Only root would have any to begin with.
        *("--cap-drop", "ALL"),
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    )


def _in_order(mounts: Iterable[Mount]) -> list[Mount]:
    """Each place after those around it; of two for one place the later."""
    usual = [hidden(one) for one in _existing(_HIDDEN)]
    there = (one for one in mounts if one.source is None or os.path.lexists(one.source))
    places = {one.place: one for one in (*usual, *_resolver(), *there)}
    return [places[place] for place in sorted(places, key=lambda place: place.split("/"))]


def _existing(folders: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(os.path.realpath(one) for one in folders if os.path.isdir(one)))


def _resolver() -> tuple[Mount, ...]:
    """The folder that has resolv.conf, where that is one of those hidden: its file is replaced."""
    folder = os.path.dirname(os.path.realpath("/etc/resolv.conf"))
    return (Mount(folder, folder),) if folder.startswith("/run/") else ()


def _words(mount: Mount) -> tuple[str, ...]:
    if mount.source is None:
        return ("--tmpfs", mount.place)
    return ("--bind" if mount.is_writable else "--ro-bind", mount.source, mount.place)
