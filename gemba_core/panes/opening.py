"""A new tmux pane for a program."""

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemba_core.errors import PaneError

_TIMEOUT = 10.0
# tmux changes some characters of a session's name: it is asked for the one that it took.
_FORMAT = ("-P", "-F", "#{pane_id} #{session_name}")


@dataclass(frozen=True, slots=True)
class Opened:
    """The pane; `attach` is the command that shows it, where nobody looks at it yet."""

    pane_id: str
    attach: str | None


def open_pane(
    argv: Sequence[str], variables: Mapping[str, str], *, folder: str, name: str, socket: str | None
) -> Opened:
    """Start the program beside the pane that we are in, else in a new detached session.

    It runs in the environment of tmux's server with `variables` laid over it.
    Raises PaneError; then nothing was started.
    """
    command = [_literal(word) for word in _with_variables(argv, variables)]
    where = ("-c", folder)
    if socket is None:
        made = _run([], "new-session", "-d", *_FORMAT, "-s", name, *where, "--", *command)
        pane_id, _, session = made.partition(" ")
        return Opened(pane_id, f"tmux attach -t {shlex.quote('=' + session)}")
    server = ["-S", socket]
    try:
        made = _run(server, "split-window", *_FORMAT, *where, "--", *command)
    except PaneError:
        # No room for one more pane, or our own is gone.
        made = _run(server, "new-window", *_FORMAT, "-n", name, *where, "--", *command)
    return Opened(made.partition(" ")[0], None)


def _with_variables(argv: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    # Through env(1), which becomes the program: not every tmux has -e, and none of them unsets.
    unset = [name for name in ("GEMBA_HOME", "GEMBA_HOOK_EVENT") if name not in variables]
    words = ["env", *(word for name in unset for word in ("-u", name))]
    return [*words, *(f"{name}={value}" for name, value in variables.items()), *argv]


def _literal(word: str) -> str:
    """tmux takes a semicolon at a word's end for the end of its command."""
    return f"{word[:-1]}\\;" if word.endswith(";") else word


def _run(server: Sequence[str], *command: str) -> str:
    try:
        done = subprocess.run(
            ["tmux", "-u", *server, *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise PaneError("tmux did not answer; see whether it started a pane") from error
    except OSError as error:
        raise PaneError(
            f"tmux can't be run: {error.strerror or error}; is it installed?"
        ) from error
    if done.returncode:
        raise PaneError(f"tmux started nothing: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode().strip()
