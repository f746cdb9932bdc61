"""gemba-ask as an agent's shell tool calls it."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from subprocess import CompletedProcess

from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import payloads
from tests.waiting import wait_until

QUESTION = ("--kind", "question", "--role", "coach", "--text", "Which colour?")
SESSION = {"GEMBA_SESSION_ID": "s1", "GEMBA_INTERACTION_MODE": "balanced"}


def gemba_ask(
    *args: str, env: Mapping[str, str] | None = None, input: str | bytes = ""
) -> CompletedProcess[str]:
    """Run it to its end in session s1; `env` is laid over that."""
    return run_cli("gemba-ask", *args, env={**SESSION, **(env or {})}, input=input)


@dataclass(frozen=True)
class Waiter:
    """A gemba-ask that waits."""

    process: subprocess.Popen[bytes]
    id: str

    def end(self) -> tuple[int, str, str]:
        """Its exit code, standard output and standard error, once it has ended."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, (out or b"").decode(), err.decode()


@contextmanager
def waiting(*args: str, stdout: int = subprocess.PIPE, session: str = "s1") -> Iterator[Waiter]:
    """Start it with `--wait` and these arguments; it waits when this begins, and is gone after."""
    waits = _waits(session)
    env = environment({**SESSION, "GEMBA_SESSION_ID": session})
    command = [str(SCRIPTS / "gemba-ask"), "--wait", *args]
    with subprocess.Popen(command, env=env, stdout=stdout, stderr=subprocess.PIPE) as process:
        try:
            wait_until(lambda: len(_waits(session)) > len(waits), what="the wait to begin")
            yield Waiter(process, _waits(session)[-1].removeprefix("waiting for "))
        finally:
            process.kill()


def _waits(session: str) -> list[str]:
    """What the session said that it waits for, one entry a wait."""
    said = [state.get("note") or "" for state in payloads("GembaState", session)]
    return [note for note in said if note.startswith("waiting for ")]
