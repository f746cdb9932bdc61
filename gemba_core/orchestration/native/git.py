"""Running git: argument lists, a time limit, no hooks, nothing of the caller's environment."""

import os
import subprocess
from collections.abc import Callable, Sequence

from gemba_core import caller
from gemba_core.orchestration.error import AdaptorError, ErrorKind

# Seconds. A checkout of a large repository takes its time.
_TIMEOUT = 300.0

# Settings that run programs, or wait for a person.
_QUIET = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "commit.gpgSign=false"),
)

Inside = Callable[[Sequence[str]], Sequence[str]]


class GitFailed(AdaptorError):
    """git said no; `message` has its last line."""


def run(
    folder: str,
    *args: str,
    given: bytes = b"",
    inside: Inside | None = None,
    kind: ErrorKind = ErrorKind.PROCESS_FAILED,
) -> bytes:
    """What git prints, run in that folder with `given` on its standard input.

    `inside` makes the words that run it in a sandbox: wherever an agent may have
    written, git is run so, since its settings name programs. Raises GitFailed
    of that kind.
    """
    words: Sequence[str] = ("git", "-C", folder, *_QUIET, *args)
    try:
        done = subprocess.run(
            inside(words) if inside else words,
            input=given,
            capture_output=True,
            env=_environment(),
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitFailed(kind, f"git {args[0]} in {folder}: {error}", cause=error) from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        said = lines[-1] if lines else f"exit {done.returncode}"
        raise GitFailed(kind, f"git {args[0]} in {folder}: {said}")
    return done.stdout


def text(folder: str, *args: str, inside: Inside | None = None) -> str:
    """The same, as one line. Raises GitFailed."""
    return os.fsdecode(run(folder, *args, inside=inside)).strip()


def _environment() -> dict[str, str]:
    kept = {
        name: value for name, value in caller.environment().items() if not name.startswith("GIT_")
    }
    # No lock of the agent's index is taken by a mere look at it.
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
