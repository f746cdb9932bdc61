"""Where measurements run: Gemba as it is shipped, empty homes, and no agent around."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent


class Workshop:
    """A temporary folder for everything that measurements make; a context, gone at its end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gemba-bench-")

    def __enter__(self) -> "Workshop":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    @contextmanager
    def home(self) -> Iterator[Path]:
        """A new home with an empty folder for its logs, removed at the end: some are large."""
        with tempfile.TemporaryDirectory(prefix="home-", dir=self._folder.name) as home:
            (Path(home) / "sessions").mkdir(mode=0o700)
            yield Path(home)

    @cached_property
    def scripts(self) -> Path:
        """The commands of the built wheel, installed and compiled, beside their interpreter."""
        wheels, venv = Path(self._folder.name) / "wheels", Path(self._folder.name) / "venv"
        print("bench: building the wheel and installing it", file=sys.stderr)
        _run(sys.executable, "-m", "build", "--wheel", "--outdir", str(wheels), str(ROOT))
        _run(sys.executable, "-m", "venv", str(venv))
        pip = (str(venv / "bin/python"), "-m", "pip", "--disable-pip-version-check", "install")
        (wheel,) = wheels.iterdir()
        _run(*pip, "--compile", "-c", str(ROOT / "constraints.txt"), f"{wheel}[web]")
        return venv / "bin"

    def run(
        self, home: Path, *command: str, session: str | None = None, stdin: bytes = b""
    ) -> bytes:
        """Run a command of `scripts`, or any other one; what it printed."""
        return subprocess.run(
            self.command(*command),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(home, session),
            cwd=home,
            check=True,
        ).stdout

    def command(self, name: str, *arguments: str) -> list[str]:
        """The command line; a name that is none of `scripts` is searched for on the PATH."""
        script = self.scripts / name
        return [str(script) if script.exists() else name, *arguments]


def environment(home: Path, session: str | None = None) -> dict[str, str]:
    """All that a measured command knows. Outside a session there is no agent around; and
    whatever keeps Python from using compiled files here is gone."""
    known = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "GEMBA_HOME": str(home),
    }
    if session is not None:
        known |= {
            "GEMBA_SESSION_ID": session,
            "GEMBA_AGENT_TYPE": "claude",
            "GEMBA_INTERACTION_MODE": "balanced",
        }
    return known


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stdout}{done.stderr}")
