"""tmux: looking at a pane and typing into it. With `opening`, the only place that runs it.

Every call is one tmux process with at most 5 seconds, addressed by the
server's socket and never through a shell.
"""

import re
import subprocess
from dataclasses import dataclass, replace

from gemba_core.errors import PaneError
from gemba_core.panes.address import PaneAddress
from gemba_core.panes.guard import in_pane, reachable
from gemba_core.panes.look import Look
from gemba_core.processes import (
    SHELLS,
    foreground_leader,
    is_alive,
    is_below,
    is_in_foreground,
    is_interactive_shell,
)

_TIMEOUT = 5.0
_BUFFER = re.compile(r"gemba-[A-Za-z0-9._-]+", re.ASCII)
# The command's name comes last: it alone may contain spaces.
_FIELDS = (
    "#{pane_pid} #{pane_dead} #{pane_in_mode} #{pane_input_off} #{cursor_x} #{cursor_y} "
    "#{cursor_flag} #{pane_width} #{pane_height} #{pane_current_command}"
)


class PasteUncertain(PaneError):
    """tmux was asked to paste and gave no answer: the text may have arrived or not."""


@dataclass(frozen=True)
class _Pane:
    pid: int
    dead: bool
    in_mode: bool
    input_off: bool
    command: str


def look(address: PaneAddress) -> Look:
    """The pane now, and whether it may be typed into. Never raises.

    failed: tmux, the server, the pane or the agent is gone, or what is there
    is another one or a shell. held: the pane or the agent takes no input at
    the moment, or tmux does not answer.
    """
    pane_id = address.tmux_pane
    try:
        done = _run(
            address,
            *("display-message", "-p", "#{pid}", ";"),
            # By a filter, because -t falls back on another pane in some commands.
            *("list-panes", "-a", "-f", in_pane(address), "-F", _FIELDS, ";"),
            *("capture-pane", "-p", "-t", address.target),
        )
    except subprocess.TimeoutExpired:
        return Look("held", f"tmux does not answer on {address.tmux_socket}")
    except OSError as error:
        return Look("failed", _not_runnable(error))
    server_pid, _, rest = done.output.partition("\n")
    if not server_pid:
        return Look("failed", f"no tmux server on {address.tmux_socket}: {done.complaint}")
    if server_pid != str(address.tmux_server_pid):
        return Look("failed", "the tmux server was restarted: the agent's pane is gone with it")
    if done.failed or not rest:
        return Look("failed", f"the pane {pane_id} is gone")
    return _judged(address, *_parsed(rest))


def last_lines(address: PaneAddress, count: int) -> list[str]:
    """The pane's last lines, with those that have scrolled away; empty where tmux gives none.

    Of a pane that `look` has just seen: this does not check whose it is.
    """
    try:
        done = _run(address, "capture-pane", "-p", "-S", f"-{count}", "-t", address.target)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.output.rstrip().split("\n")[-count:]


def paste(address: PaneAddress, text: str, buffer_name: str) -> None:
    """Paste `text`, bracketed if the program asked for that, as one tmux command.

    `buffer_name` is `gemba-` and letters, digits, `.`, `_`, `-`; the buffer is
    gone afterwards. Raises PaneError if nothing was pasted (among others
    because the pane went into copy mode meanwhile), and PasteUncertain if that
    can't be known.
    """
    if not _BUFFER.fullmatch(buffer_name):
        raise PaneError(f"not a buffer's name: {buffer_name!r}; expected gemba-<id>")
    pane_id = address.tmux_pane
    try:
        done = _run(
            address,
            *("load-buffer", "-b", buffer_name, "-", ";"),
            *("if-shell", "-F", "-t", pane_id, reachable(address)),
            f"paste-buffer -p -d -b {buffer_name} -t {pane_id} ; display-message -p pasted",
            text=text,
        )
    except subprocess.TimeoutExpired as error:
        _forget(address, [buffer_name])
        raise PasteUncertain(f"tmux did not say whether it pasted into {pane_id}") from error
    except OSError as error:
        raise PaneError(_not_runnable(error)) from error
    if done.output.strip() == "pasted":
        return
    _forget(address, [buffer_name])
    said = done.complaint or "the pane is gone or takes no input"
    raise PaneError(f"nothing was pasted into {pane_id}: {said}")


def press_enter(address: PaneAddress, guard: str) -> bool:
    """Press Enter if the format `guard` is true: as `press`."""
    return press(address, "Enter", guard)


def press(address: PaneAddress, key: str, guard: str) -> bool:
    """Press that key if the format `guard` is true, in one tmux command; whether it was pressed.

    `key` is as tmux calls it: letters and digits. Raises PaneError if tmux
    can't be asked or does not answer; the key was then pressed at most once.
    """
    pane_id = address.tmux_pane
    if not key.isalnum():
        raise PaneError(f"not a key: {key!r}; expected one like Enter or y")
    try:
        done = _run(
            address,
            *("if-shell", "-F", "-t", pane_id, guard),
            f"send-keys -t {pane_id} {key} ; display-message -p pressed",
            "display-message -p held",
        )
    except subprocess.TimeoutExpired as error:
        raise PaneError(f"tmux did not say whether it pressed {key} in {pane_id}") from error
    except OSError as error:
        raise PaneError(_not_runnable(error)) from error
    if done.failed:
        raise PaneError(f"{key} was not pressed in {pane_id}: {done.complaint}")
    return done.output.strip() == "pressed"


def forget_buffers(address: PaneAddress) -> None:
    """Delete the paste buffers that broken deliveries left on that server. Never raises."""
    try:
        done = _run(address, "list-buffers", "-F", "#{buffer_name}")
    except (OSError, subprocess.TimeoutExpired):
        return
    _forget(address, [name for name in done.output.splitlines() if _BUFFER.fullmatch(name)])


def _forget(address: PaneAddress, buffer_names: list[str]) -> None:
    for name in buffer_names:
        try:
            _run(address, "delete-buffer", "-b", name)
        except (OSError, subprocess.TimeoutExpired):
            return


def _judged(address: PaneAddress, pane: _Pane, seen: Look) -> Look:
    lasting = _gone(address, pane)
    if lasting:
        return Look("failed", lasting)
    passing = _busy(address, pane)
    return replace(seen, verdict="held", why=passing) if passing else seen


def _gone(address: PaneAddress, pane: _Pane) -> str | None:
    """Why nothing may be typed into this pane any more."""
    pane_id, agent = address.tmux_pane, address.agent
    if pane.dead:
        return f"the program in pane {pane_id} has ended"
    if agent is None:
        bare = _is_bare_shell(pane)
        return f"there is a shell in pane {pane_id}, and no agent is known there" if bare else None
    if not is_alive(agent):
        return f"the agent (process {agent[0]}) in pane {pane_id} has ended"
    if not is_below(agent, pane.pid):
        return f"the agent (process {agent[0]}) does not run in pane {pane_id}"
    if is_interactive_shell(agent[0]):
        return f"who asked in pane {pane_id} is a shell: it would run the answer as a command"
    return None


def _busy(address: PaneAddress, pane: _Pane) -> str | None:
    """Why nothing may be typed into this pane at the moment."""
    if pane.in_mode:
        return f"the pane {address.tmux_pane} is in copy mode; leave it with q"
    if pane.input_off:
        return f"the input of pane {address.tmux_pane} is switched off"
    if address.agent and not is_in_foreground(address.agent):
        return "the agent is suspended or in the background of its terminal"
    return None


def _is_bare_shell(pane: _Pane) -> bool:
    leader = foreground_leader(pane.pid)
    return pane.command in SHELLS if leader is None else is_interactive_shell(leader)


def _parsed(answer: str) -> tuple[_Pane, Look]:
    """The pane's fields and its screen out of what tmux printed."""
    lines = answer.removesuffix("\n").split("\n")
    # A pane of a window in several sessions is listed once for each.
    *numbers, command = lines[0].split(" ", 9)
    pid, dead, in_mode, input_off, column, row, flag, columns, rows = map(int, numbers)
    pane = _Pane(pid, bool(dead), bool(in_mode), bool(input_off), command)
    seen = Look(
        verdict="free",
        cursor=(column, row),
        cursor_shown=bool(flag),
        size=(columns, rows),
        screen=tuple(lines[-rows:]),
    )
    return pane, seen


@dataclass(frozen=True)
class _Answer:
    output: str
    complaint: str
    failed: bool


def _run(address: PaneAddress, *command: str, text: str = "") -> _Answer:
    # -u: UTF-8 in the answer whatever the locale says.
    done = subprocess.run(
        ["tmux", "-u", "-S", address.tmux_socket, *command],
        input=text.encode(),
        capture_output=True,
        timeout=_TIMEOUT,
        check=False,
    )
    output, complaint = (said.decode(errors="replace") for said in (done.stdout, done.stderr))
    return _Answer(output, complaint.strip(), failed=done.returncode != 0)


def _not_runnable(error: OSError) -> str:
    return f"tmux can't be run: {error.strerror or error}; is it installed?"
