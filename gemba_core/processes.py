"""Processes as `(pid, started)`: a pid alone is given to another process sooner or later.

`started` is the start time in clock ticks since boot. Everything is read from
/proc; each function says what it answers on a system without it, or about a
process that is gone or hidden. Nothing here raises.

Small hook binaries import this: `os` is all it takes.
"""

import os

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"})

_MAX_ANCESTRY = 32
_ENDED = (b"Z", b"X")
_STOPPED = b"T"
# The shells' options that take the next word with them.
_WITH_ARGUMENT = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})

# Fields of /proc/<pid>/stat, counted from the one after the command's name.
_STATE, _PARENT, _GROUP, _SESSION, _TERMINAL, _FOREGROUND, _STARTED = 0, 1, 2, 3, 4, 5, 19


def ancestry(pid: int) -> list[tuple[int, int]]:
    """The process and its ancestors, nearest first, 32 at most; empty without /proc."""
    chain: list[tuple[int, int]] = []
    while pid > 0 and len(chain) < _MAX_ANCESTRY:
        stat = _stat(pid)
        if not stat:
            break
        chain.append((pid, int(stat[_STARTED])))
        pid = int(stat[_PARENT])
    return chain


def caller_ancestry() -> list[tuple[int, int]]:
    """The program that called us and its ancestors, nearest first; empty without /proc.

    Shells that were started with a command (`sh -c ...`) only pass the call
    on and are left out at the near end. A shell that runs a script, or that
    somebody types into, is itself the caller.
    """
    chain = ancestry(os.getppid())
    while chain and _shell_use(chain[0][0]) == "command":
        del chain[0]
    return chain


def is_interactive_shell(pid: int) -> bool:
    """Whether it is a shell without a script or a command; false where that is unknown."""
    return _shell_use(pid) == "interactive"


def is_alive(process: tuple[int, int]) -> bool:
    """Whether this very process still runs; false for one that has ended but is not yet
    collected by its parent, and without /proc."""
    stat = _stat(process[0])
    return bool(stat) and int(stat[_STARTED]) == process[1] and stat[_STATE] not in _ENDED


def is_group_alive(leader: tuple[int, int]) -> bool:
    """Whether anything still runs in the group of this very session leader, which may itself have
    ended; false without /proc. Looks at every process there is."""
    if is_alive(leader):
        return True
    pid, started = leader
    own = _stat(pid)
    if own and int(own[_STARTED]) != started:
        return False  # the number has been given away, so nothing of the group is left
    return any(
        # A shell's pipeline that got the number since belongs to the session of that shell.
        stat[_GROUP] == stat[_SESSION] == b"%d" % pid
        and int(stat[_STARTED]) >= started
        and stat[_STATE] not in _ENDED
        for stat in map(_stat, _pids())
        if stat
    )


def is_below(process: tuple[int, int], root_pid: int) -> bool:
    """Whether this very process is `root_pid` or descends from it; false without /proc."""
    chain = ancestry(process[0])
    return chain[:1] == [process] and any(pid == root_pid for pid, _ in chain)


def is_in_foreground(process: tuple[int, int]) -> bool:
    """Whether what is typed in its terminal reaches it: not stopped, and of the foreground group.

    True for a process without a terminal and where nothing is known.
    """
    stat = _stat(process[0])
    if not stat:
        return True
    if stat[_STATE] == _STOPPED:
        return False
    return int(stat[_TERMINAL]) == 0 or stat[_GROUP] == stat[_FOREGROUND]


def foreground_leader(pid: int) -> int | None:
    """The leader of the foreground group of this process's terminal; None where unknown."""
    stat = _stat(pid)
    leader = int(stat[_FOREGROUND]) if stat else -1
    return leader if leader > 0 else None


def parent(pid: int) -> int | None:
    """The process that it is a child of; None where it has ended, and without /proc."""
    stat = _stat(pid)
    return int(stat[_PARENT]) if stat and stat[_STATE] not in _ENDED else None


def environment(pid: int) -> list[bytes]:
    """What it was started with, as `NAME=value`; empty where that can't be read."""
    return _read(f"/proc/{pid}/environ").split(b"\0")[:-1]


def _pids() -> list[int]:
    """Every process that can be seen; none without /proc."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    return [int(name) for name in names if name.isdigit()]


def _stat(pid: int) -> list[bytes]:
    """The fields of /proc/<pid>/stat after the command's name; empty if it can't be read."""
    # The name stands in parentheses and may hold spaces and parentheses itself.
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _shell_use(pid: int) -> str:
    """What a shell was started for: `command`, `script`, `interactive`; empty if it is none."""
    words = os.fsdecode(_read(f"/proc/{pid}/cmdline")).split("\0")[:-1]
    if words and os.path.basename(words[0]) == "busybox":
        del words[0]
    # A login shell's own name begins with a dash.
    if not words or os.path.basename(words[0]).lstrip("-") not in SHELLS:
        return ""
    options = iter(words[1:])
    for option in options:
        if option in ("-", "--"):
            return "script" if next(options, None) is not None else "interactive"
        if not option.startswith(("-", "+")):
            return "script"
        if _takes_command(option):
            return "command"
        if option in _WITH_ARGUMENT:
            next(options, None)
    return "interactive"


def _takes_command(option: str) -> bool:
    """Whether it is `-c`, alone or among others (`-lc`), or fish's `--command`."""
    if option.startswith("--"):
        return option.startswith("--command")
    return option.startswith("-") and "c" in option


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
