"""Gemba's console scripts, run as processes of their own, with their real streams and exit codes.

`gemba` is forked off a process that has imported it already: else its start-up,
some two thousand times, is most of what the tests take.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess

# The folder of the interpreter that runs the tests, where pip put the scripts too. Not resolved:
# a virtual environment's python is a link to one that has no scripts beside it.
SCRIPTS = Path(sys.executable).parent
# What most of its commands import; none of it looks at the environment when it is imported.
_IMPORTED = [
    *("gemba.cli", "gemba.render", "gemba_core.agents", "gemba_core.index", "gemba_core.handoff"),
    *("gemba.escalations.outcome", "gemba.work.plane", "gemba.workflow.group", "gemba.skills.lint"),
]
_STREAMS = ((0, "r"), (1, "w"), (2, "w"))
_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(_IMPORTED)


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
    is_started: bool = False,
) -> CompletedProcess[str]:
    """Run a console script to its end and return what it said, whatever its exit code.

    `env` is laid over the test's environment; what is not in it is as the fixtures left it.
    Output is decoded as UTF-8 with its line ends untouched; bytes that are not UTF-8 survive as
    surrogates. `is_started` where the interpreter's own start counts. Raises
    subprocess.TimeoutExpired after `timeout` seconds, the process killed.
    """
    stdin = input.encode() if isinstance(input, str) else input
    # Whoever names modules of his own has them found by an interpreter's start.
    is_started = is_started or script != "gemba" or "PYTHONPATH" in (env or {})
    run = _started if is_started else _forked
    done = run([str(SCRIPTS / script), *args], stdin, environment(env), cwd, timeout)
    return CompletedProcess(
        done.args,
        done.returncode,
        done.stdout.decode(errors="surrogateescape"),
        done.stderr.decode(errors="surrogateescape"),
    )


def _started(
    argv: list[str], stdin: bytes, env: dict[str, str], cwd: Path | None, timeout: float
) -> CompletedProcess[bytes]:
    return subprocess.run(
        argv, input=stdin, capture_output=True, env=env, cwd=cwd, timeout=timeout, check=False
    )


def _forked(
    argv: list[str], stdin: bytes, env: dict[str, str], cwd: Path | None, timeout: float
) -> CompletedProcess[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        streams = [os.path.join(folder, name) for name in ("in", "out", "err")]
        for path in streams:
            Path(path).write_bytes(stdin if path.endswith("in") else b"")
        child = _FORKING.Process(target=_be, args=(argv, streams, env, str(cwd or os.getcwd())))
        child.start()
        child.join(timeout)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise subprocess.TimeoutExpired(argv, timeout)
        out, err = (Path(path).read_bytes() for path in streams[1:])
        return CompletedProcess(argv, child.exitcode, out, err)


def _be(argv: list[str], streams: list[str], env: dict[str, str], cwd: str) -> None:
    """Become that script: what the interpreter does at its start is done again."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_APPEND), number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode) for number, mode in _STREAMS)
    sys.argv = [os.fsdecode(word) for word in argv]
    import_module("gemba.cli").main()
