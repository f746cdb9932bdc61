"""Gemba's console scripts, run as the real processes that users run."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

# The folder of the interpreter that runs the tests, where pip put the scripts too. Not resolved:
# a virtual environment's python is a link to one that has no scripts beside it.
SCRIPTS = Path(sys.executable).parent


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The test's own environment and `extra`; refuses one that would reach the real home."""
    env = {**os.environ, **(extra or {})}
    assert env.get("GEMBA_HOME"), "GEMBA_HOME is not set: this would touch the user's own ~/.gemba"
    return env


def run_cli(
    script: str,
    *args: str,
    env: Mapping[str, str] | None = None,
    input: str | bytes = "",
    cwd: Path | None = None,
    timeout: float = 30.0,
) -> CompletedProcess[str]:
    """Run a console script to its end and return what it said, whatever its exit code.

    `env` is laid over the test's environment; what is not in it is as the fixtures left it.
    Output is decoded as UTF-8 with its line ends untouched; bytes that are not UTF-8 survive as
    surrogates. Raises subprocess.TimeoutExpired after `timeout` seconds, the process killed.
    """
    stdin = input.encode() if isinstance(input, str) else input
    done = subprocess.run(
        [str(SCRIPTS / script), *args],
        input=stdin,
        capture_output=True,
        env=environment(env),
        cwd=cwd,
        timeout=timeout,
        check=False,
    )
    return CompletedProcess(
        done.args,
        done.returncode,
        done.stdout.decode(errors="surrogateescape"),
        done.stderr.decode(errors="surrogateescape"),
    )
