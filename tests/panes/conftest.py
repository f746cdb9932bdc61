"""Programs in real terminal panes, and what happened to them."""

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from gemba_core.panes import Composer, PaneAddress, guard, look, paste, press_enter
from gemba_core.processes import ancestry
from tests.tmux_server import Pane, TmuxServer
from tests.waiting import wait_until

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Program:
    """A test program that runs in a pane."""

    server: TmuxServer
    pane: Pane
    record: Path

    @property
    def address(self) -> PaneAddress:
        """The pane, with the program as its agent."""
        agent = ancestry(self.pane.pid)[0]
        socket = str(self.server.socket)
        return PaneAddress(socket, self.server.server_pid, self.pane.pane_id, agent)

    def told(self, event: str) -> list[str]:
        """The texts of the events of that name, so far."""
        if not self.record.exists():
            return []
        complete = self.record.read_text(encoding="utf-8").rpartition("\n")[0]
        events = [json.loads(line) for line in complete.split("\n") if line]
        return [entry["text"] for entry in events if entry["event"] == event]

    def tells(self, event: str, times: int = 1) -> str:
        """Wait until it has told of the event so often; the text of the last one."""
        wait_until(
            lambda: len(self.told(event)) >= times,
            what=f"event {event!r} number {times} of the program",
        )
        return self.told(event)[-1]

    def open_dialog(self) -> None:
        """Let a permission dialog come up, and wait until the terminal shows it."""
        seen = len(self.told("dialog"))
        os.kill(self.pane.pid, signal.SIGUSR1)
        self.tells("dialog", seen + 1)
        wait_until(lambda: "Allow" in self.server.capture(self.pane), what="the dialog")

    def empty(self) -> None:
        """Let it forget all texts, and wait until the terminal shows an empty input line."""
        seen = len(self.told("emptied"))
        os.kill(self.pane.pid, signal.SIGUSR2)
        self.tells("emptied", seen + 1)
        wait_until(lambda: self.server.capture(self.pane).strip() == ">", what="the empty screen")


def deliver(program: Program, text: str, composer: Composer) -> None:
    """Look, paste, and press Enter as soon as the guard lets it through."""
    before = look(program.address)
    paste(program.address, text, "gemba-test")
    condition = guard(program.address, text, composer, before)
    wait_until(lambda: press_enter(program.address, condition), what=f"Enter after {text[:60]!r}")


class Start(Protocol):
    def __call__(self, script: str, *args: str, width: int = 120, height: int = 40) -> Program: ...


@pytest.fixture
def start(tmux: TmuxServer, tmp_path: Path) -> Start:
    """Start one of the test programs in a pane of its own and wait until it is ready."""
    started = 0

    def start(script: str, *args: str, width: int = 120, height: int = 40) -> Program:
        nonlocal started
        started += 1
        record = tmp_path / f"record-{started}.jsonl"
        argv = [sys.executable, str(PROGRAMS / script), str(record), *args]
        program = Program(tmux, tmux.new_pane(argv, width=width, height=height), record)
        program.tells("ready")
        prompt = {"composer.py": "> ", "line_reader.py": "? "}[script]
        wait_until(lambda: tmux.capture(program.pane).startswith(prompt.strip()), what="its prompt")
        return program

    return start
