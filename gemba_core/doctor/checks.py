"""The checks. Each looks at one thing and tells it as findings; GembaError is for the caller."""

import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import get_args

from gemba_core import agents, caller, home
from gemba_core.attention.address import address
from gemba_core.attention.rule import load as load_rules
from gemba_core.doctor.finding import Finding, failed, ok, warning
from gemba_core.doctor.round_trip import round_trip
from gemba_core.errors import GembaError
from gemba_core.frame.line import timestamp
from gemba_core.frame.text import counted
from gemba_core.inbox.opened import use_index
from gemba_core.index import Index
from gemba_core.install.bridge import (
    CLIENTS,
    declared_elsewhere,
    install,
    is_installed,
    switched_off,
)
from gemba_core.install.client import Client, Scope
from gemba_core.panes import PaneAddress, look
from gemba_core.toml_file import TomlInvalid

# The first version that takes hooks as install-bridge declares them.
_OLDEST = {"claude": "2.1.139"}
_LITTLE_SPACE = 200 << 20
_AHEAD = 300 * 1_000_000

Check = Callable[[], Iterator[Finding]]


def versions() -> Iterator[Finding]:
    """Gemba, Python, and the programs that Gemba works with."""
    yield ok("gemba", f"{version('gemba-toolkit')}, Python {platform.python_version()}")
    for program in ("tmux", *CLIENTS):
        path = shutil.which(program)
        if path is not None:
            yield ok(program, f"{_said(path, '-V' if program == 'tmux' else '--version')} ({path})")
    if shutil.which("tmux") is None:
        todo = "install tmux, or let agents wait with gemba-ask --wait"
        yield warning("tmux", "not installed: no answer can be typed into a pane", todo)


def paths() -> Iterator[Finding]:
    """The home and its folders: there, ours alone, and writable."""
    folder = home.sessions_dir()
    try:
        home.make_private_dir(folder)
        probe = os.path.join(folder, f".doctor-{os.getpid()}")
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(probe)
    except OSError as error:
        todo = "make it writable, add it to the agent's sandbox, or set GEMBA_HOME"
        yield failed("home", f"{folder}: {error.strerror}", todo)
        return
    yield ok("home", home.home())
    open_ones = [path for path in _private_paths() if os.lstat(path).st_mode & 0o077]
    if open_ones:
        todo = "chmod -R go-rwx " + home.home()
        yield warning("modes", f"readable by others: {', '.join(open_ones[:5])}", todo)
    else:
        yield ok("modes", "files 0600, folders 0700")


def mode() -> Iterator[Finding]:
    """How much agents that start here may ask."""
    try:
        found, assumed = caller.interaction_mode()
    except GembaError as error:
        yield failed("mode", str(error), "mend GEMBA_INTERACTION_MODE")
        return
    yield ok("mode", f"{found} ({assumed or 'as set'})")


def declared() -> Iterator[Finding]:
    """The workspace's agents.toml, if there is one."""
    path = home.agents_path()
    if path is None:
        return
    try:
        found = agents.load(path)
    except TomlInvalid as error:
        yield failed("agents", str(error), "mend these lines")
        return
    names = ", ".join(agent.name for agent in found)
    yield ok("agents", f"{path}: {names or 'none is declared'}")


def notifications() -> Iterator[Finding]:
    """The rules by which the operator is called elsewhere: understood, their addresses found."""
    try:
        rules = load_rules(home.config_path())
    except TomlInvalid as error:
        yield failed("notifications", str(error), "mend these lines")
        return
    lost = []
    for rule in rules:
        try:
            address(rule)
        except GembaError as error:
            lost.append(rule)
            yield warning("notifications", str(error), "then run gemba notify test")
    if len(lost) < len(rules):
        yield ok("notifications", counted(len(rules) - len(lost), "rule"))


def hooks() -> Iterator[Finding]:
    """The hooks of each client: declared, once, as this version declares them, and let run."""
    folder = os.getcwd()
    for name, client in CLIENTS.items():
        found = [scope for scope in get_args(Scope) if is_installed(client, scope, folder)]
        if not found and shutil.which(name):
            yield warning(f"{name} hooks", "not installed", _install(client))
        for scope in found:
            yield _declared(client, scope, folder)
        if found:
            yield from _twice(client, found[0], folder)
            yield from _understood(name)


def _declared(client: Client, scope: Scope, folder: str) -> Finding:
    """Whether what is declared there is of this version, and run."""
    check, path = f"{client.name} hooks", client.settings(scope, folder)
    planned = install(client, scope, folder, body="", dry_run=True)
    if any(change.action != "unchanged" for change in planned if change.path == path):
        return warning(check, f"{path}: of another version", f"{_install(client)} --scope {scope}")
    off = switched_off(client, planned, path)
    if off:
        return warning(check, off, "change that file, if they are to run")
    untrusted = client.untrusted(path)
    if untrusted:
        return warning(check, f"{path}: {untrusted}", "; ".join(client.afterwards[scope]))
    return ok(check, f"installed ({scope}): {path}")


def _twice(client: Client, scope: Scope, folder: str) -> Iterator[Finding]:
    """Whether another file declares them too."""
    where = declared_elsewhere(client, scope, folder)
    if where is not None:
        told = f"{where} declares them too, so each call is recorded twice"
        todo = f"take one of the two out: {_install(client)} --scope {scope} --uninstall"
        yield warning(f"{client.name} hooks", told, todo)


def _install(client: Client) -> str:
    return f"gemba install-bridge --agent {client.name}"


def _understood(name: str) -> Iterator[Finding]:
    """Whether the installed client is new enough for what is declared."""
    oldest, path = _OLDEST.get(name), shutil.which(name)
    if oldest is None or path is None:
        return
    said = _said(path, "--version")
    found = re.search(r"\d+(\.\d+)+", said)
    if found is None:
        yield warning(f"{name} version", f"{path} says {said!r}", f"update it to {oldest} or newer")
    elif _numbers(found[0]) < _numbers(oldest):
        told = f"{found[0]}: it does not run hooks that are declared with `args`"
        yield warning(f"{name} version", told, f"update it to {oldest} or newer")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def pane() -> Iterator[Finding]:
    """The tmux pane that we run in, if we do."""
    address = caller.tmux_return_address()
    if address is None:
        return
    here = PaneAddress(
        str(address["tmux_socket"]),
        int(str(address["tmux_server_pid"])),
        str(address["tmux_pane"]),
        None,
    )
    seen = look(here)
    if seen.size == (0, 0):
        yield failed("pane", seen.why, "start tmux anew, or check who owns its socket")
    else:
        yield ok("pane", f"{here.tmux_pane} can be reached")


def ask_and_answer() -> Iterator[Finding]:
    """A real question, a real answer, in a session of its own that is removed again."""
    began = time.monotonic()
    try:
        problem = round_trip()
    except (GembaError, OSError, subprocess.SubprocessError) as error:
        problem = str(error)
    if problem:
        yield failed("ask and answer", problem, "see the other findings")
    else:
        yield ok("ask and answer", f"answered in {time.monotonic() - began:.1f} s")


def records() -> Iterator[Finding]:
    """Lines that are no frames, frames that changed nothing, times that lie ahead."""
    yield from use_index(lambda index: list(_records(index)))


def space() -> Iterator[Finding]:
    """Room on the disk that holds the logs."""
    free = shutil.disk_usage(home.home()).free
    told = f"{free >> 20} MiB free"
    if free < _LITTLE_SPACE:
        yield warning("disk", told, "free some space, or gemba log prune --older-than 30d")
    else:
        yield ok("disk", told)


def _records(index: Index) -> Iterator[Finding]:
    logs = index.logs()
    bad = [log for log in logs if log.bad_lines]
    dropped = index.dropped()
    for log in bad:
        told = f"{log.name}: {counted(log.bad_lines, 'bad line')}"
        yield warning("logs", told, "gemba log verify")
    for one in dropped:
        detail = f"{one.log}: {one.hook} changed nothing {counted(one.count, 'time')}: {one.reason}"
        yield warning("logs", detail, "gemba log verify")
    for problem in index.problems:
        yield failed("logs", problem, "see the message")
    if not (bad or dropped or index.problems):
        yield ok("logs", f"{len(logs)} read, every line a frame")
    ahead = index.newest()
    now = time.time_ns() // 1000
    if ahead is not None and ahead > now + _AHEAD:
        told = f"the newest record is of {timestamp(ahead * 1000)}, it is {timestamp(now * 1000)}"
        yield warning("clock", told, "set the clock; the order of the log is not affected")
    else:
        yield ok("clock", "not behind the newest record")


def _private_paths() -> Iterator[str]:
    yield home.home()
    for folder, folders, files in os.walk(home.home()):
        for name in (*folders, *files):
            yield os.path.join(folder, name)


def _said(path: str, option: str) -> str:
    try:
        done = subprocess.run(
            [path, option], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return (done.stdout or done.stderr).strip().partition("\n")[0]


CHECKS: tuple[Check, ...] = (
    versions,
    paths,
    mode,
    declared,
    notifications,
    hooks,
    pane,
    ask_and_answer,
    records,
    space,
)
