"""Where the demo plays: a temporary home and a private tmux server, gone when it is over."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.text import Text

from gemba_core.caller import AGENT_MARKS

T = TypeVar("T")

# Generous: on a machine that is busy with other things the demo must not fail.
_PATIENCE = 60.0
_COLUMNS = 96
_HIDDEN = {*AGENT_MARKS, "TMUX", "TMUX_PANE"}


class NotAsExpected(Exception):
    """A step did not come true; the text says which, and what was seen instead."""


class Stage:
    """Runs commands and tells what happens. Use as a context manager: it leaves nothing behind."""

    def __init__(self) -> None:
        self._out = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        self._folder = Path(tempfile.mkdtemp(prefix="gemba-demo-"))
        self._waiting: list[subprocess.Popen[str]] = []
        self._socket = str(self._folder / "tmux")
        # Without what tells that we run inside an agent or a pane ourselves: the operator does not.
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in _HIDDEN and not name.startswith("GEMBA_")
        }
        scripts = str(Path(sys.executable).parent)
        self._env = {
            **kept,
            "PATH": os.pathsep.join([scripts, kept.get("PATH", os.defpath)]),
            "GEMBA_HOME": str(self._folder / "home"),
            "COLUMNS": str(_COLUMNS),
        }

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._waiting:
            process.kill()
            process.communicate()
        with suppress(NotAsExpected):  # there is no server, or no tmux
            self._tmux("kill-server")
        # What was just killed may still be writing its last line.
        self.until(self._is_removed, f"{self._folder} to be removed")

    def _is_removed(self) -> bool:
        shutil.rmtree(self._folder, ignore_errors=True)
        return not self._folder.exists()

    def title(self, text: str) -> None:
        """The headline of a scene."""
        self._out.print(Text(f"\n== {text} ==", style="bold"))

    def say(self, text: str) -> None:
        """A sentence of the story."""
        self._out.print(Text(f"\n{text}", style="cyan"))

    def show(self, text: str, margin: str = "") -> None:
        """Real output, as it is."""
        for line in text.rstrip("\n").split("\n"):
            self._out.print(Text(f"  {margin}{line}".rstrip()))

    def run(self, *command: str) -> None:
        """Show a command, run it as the operator, show its output."""
        self._show_command(shlex.join(command))
        self.show(self._run(*command))

    def ask_json(self, *command: str) -> Any:
        """What a command says with `--json`, not shown."""
        return json.loads(self._run(*command, "--json"))

    def start(self, *command: str, env: Mapping[str, str]) -> subprocess.Popen[str]:
        """Show a command and start it as an agent would, its output kept for later."""
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in env.items())
        self._show_command(f"{settings} {shlex.join(command)}")
        process = subprocess.Popen(
            command,
            env={**self._env, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._waiting.append(process)
        return process

    def until(self, condition: Callable[[], T], what: str) -> T:
        """The first true value of the condition. Raises NotAsExpected after a long wait."""
        deadline = time.monotonic() + _PATIENCE
        while not (value := condition()):
            if time.monotonic() >= deadline:
                raise NotAsExpected(f"waited {_PATIENCE:g} s for {what}")
            time.sleep(0.05)
        return value

    def expect(self, found: object, wanted: object, what: str) -> None:
        """Raise NotAsExpected unless both are equal."""
        if found != wanted:
            raise NotAsExpected(f"{what}: expected {wanted!r}, found {found!r}")

    def open_pane(self, *command: str, env: Mapping[str, str]) -> None:
        """Start a program in the one pane of a tmux server of our own."""
        self._tmux(
            *("new-session", "-d", "-x", str(_COLUMNS), "-y", "24", "--"),
            *("env", *(f"{name}={value}" for name, value in env.items()), *command),
        )

    def screen(self) -> str:
        """What the pane shows."""
        return self._tmux("capture-pane", "-p").rstrip()

    def _show_command(self, line: str) -> None:
        self._out.print(Text(f"  $ {line}", style="bold green"))

    def _tmux(self, *command: str) -> str:
        return self._run("tmux", "-S", self._socket, "-f", "/dev/null", *command)

    def _run(self, *command: str) -> str:
        try:
            done = subprocess.run(
                command,
                env=self._env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotAsExpected(str(error)) from error
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise NotAsExpected(f"{shlex.join(command)}: exit {done.returncode}: {said}")
        return done.stdout
