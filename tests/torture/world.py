"""One Gemba home, what happens in it, and the agents in its panes."""

import itertools
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemba_core.frame.line import new_event_id
from gemba_core.home import LOG_SUFFIX, safe_id
from gemba_core.log import append, frame_line
from gemba_core.processes import ancestry
from tests.tmux_server import Pane, TmuxServer
from tests.torture.crash import Run
from tests.torture.machine import ROOT, Machine, Running
from tests.waiting import wait_until

Json = dict[str, Any]
_LINE_READER = ROOT / "tests" / "panes" / "programs" / "line_reader.py"


@dataclass(frozen=True)
class Done:
    """How a command ended: what it said, and the steps that it reached."""

    argv: Sequence[str]
    code: int
    stdout: str
    stderr: str
    steps: list[str]


@dataclass(frozen=True)
class Started:
    """A command on its way, and the folder of its files."""

    argv: Sequence[str]
    running: Running
    folder: Path


class World:
    """A home of its own. Commands run in it as real processes; `write` sets it up."""

    def __init__(self, folder: Path, machine: Machine, tmux: TmuxServer) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.sessions = self.home / "sessions"
        self.terminals: dict[str, Terminal] = {}
        # The escalations that were asked, and must never be lost.
        self.must: set[str] = set()
        # What an operation needs to know from its preparation.
        self.target = ""
        # Whether the index was broken by the operation's preparation.
        self.is_spoilt = False
        # How often somebody redelivers without a look at what the agent got.
        self.blind = 0
        # The planted fault of every command here, if any.
        self.fault = ""
        self._machine = machine
        self._tmux = tmux
        self._runs = itertools.count(1)
        (folder / "user").mkdir(parents=True)

    def log(self, session_id: str) -> Path:
        return self.sessions / (safe_id(session_id) + LOG_SUFFIX)

    def logs(self) -> list[Path]:
        return sorted(self.sessions.glob(f"*{LOG_SUFFIX}"))

    def frames(self, session_id: str | None = None) -> list[Json]:
        """The frames of that log, or of all; what is none is left out."""
        paths = self.logs() if session_id is None else [self.log(session_id)]
        lines = [line for path in paths if path.exists() for line in path.read_bytes().split(b"\n")]
        return [frame for line in lines if (frame := decoded(line)) is not None]

    def write(
        self, session_id: str, hook: str, payload: Json, agent_type: str = "shell-only"
    ) -> str:
        """Append a frame of Gemba's own; its event id."""
        event_id = new_event_id()
        line = frame_line(session_id, hook, payload, agent_type=agent_type, event_id=event_id)
        append(str(self.log(session_id)), line, sync=False)
        return event_id

    def fill(self, session_id: str, size: int) -> None:
        """Make that log `size` bytes long."""
        path = self.log(session_id)
        missing = size - path.stat().st_size - len(frame_line(session_id, "Filler", {"x": ""}))
        append(str(path), frame_line(session_id, "Filler", {"x": "x" * missing}), sync=False)

    def ask(self, session_id: str, **more: object) -> str:
        """A question that is open before the operation begins; its id."""
        payload = {"kind": "question", "role": "coach", "text": f"What now, {session_id}?", **more}
        terminal = self.terminals.get(session_id)
        if terminal is not None:
            payload["reply_to"] = terminal.address
        agent_type = terminal.agent_type if terminal else "shell-only"
        self.target = self.write(session_id, "GembaAsk", payload, agent_type)
        self.must.add(self.target)
        return self.target

    def resolve(self, session_id: str, escalation_id: str, text: str) -> str:
        """An answer that is queued before the operation begins; its resolution id."""
        resolution_id = new_event_id()
        decision = {
            "escalation_ids": [escalation_id],
            "resolution_id": resolution_id,
            "kind": "modify",
            "value": text,
            "resolved_by": "operator",
            "nonce": resolution_id,
            "via": "cli",
        }
        self.write(session_id, "GembaResolve", decision)
        return resolution_id

    def claim(self, session_id: str, resolution_id: str) -> None:
        """A deliverer that claimed this answer and is gone."""
        delivery = {"resolution_id": resolution_id, "attempt": 1, "status": "claimed", "by": "x"}
        self.write(session_id, "GembaDelivery", {**delivery, "lock": "panes/gone.lock"})

    def open_pane(self, session_id: str, kind: str) -> None:
        """Start an agent-like program in a pane, and wait until it is ready."""
        self.terminals[session_id] = Terminal(self, self._tmux, session_id, kind)

    def start(
        self, *argv: str, session: str | None = None, stdin: str = "", **how: Any
    ) -> "Started":
        """Start a command, inside that session or as the operator."""
        here = self.folder / f"run-{next(self._runs)}"
        here.mkdir()
        (here / "stdin").write_text(stdin)
        run = Run(argv, self._env(session), str(here), fault=self.fault, **how)
        running = self._machine.start(run)
        return Started(argv, running, here)

    def done(self, started: "Started") -> Done:
        """Wait for its end."""
        code = started.running.wait()
        said = [started.folder / name for name in ("stdout", "stderr", "trace")]
        out, err, trace = (path.read_text() if path.exists() else "" for path in said)
        return Done(started.argv, code, out, err, trace.splitlines())

    def run(self, *argv: str, session: str | None = None, **how: Any) -> Done:
        """Run a command to its end."""
        return self.done(self.start(*argv, session=session, **how))

    def gemba(self, *args: str, codes: tuple[int, ...] = (0,)) -> str:
        """Run the operator's command; it must end with one of these codes."""
        done = self.run("gemba", *args)
        assert done.code in codes, f"gemba {' '.join(args)}: exit {done.code}: {done.stderr}"
        return done.stdout

    def listed(self) -> list[Json]:
        """All escalations, as a fresh command lists them."""
        rows: list[Json] = json.loads(self.gemba("escalations", "list", "--all", "--json"))
        return rows

    def close(self) -> None:
        for terminal in self.terminals.values():
            terminal.close()

    def _env(self, session_id: str | None) -> dict[str, str]:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "user"),
            "GEMBA_HOME": str(self.home),
            "LOGNAME": "operator",
            "LANG": "C.UTF-8",
        }
        if session_id is not None:
            env |= {"GEMBA_SESSION_ID": session_id, "GEMBA_INTERACTION_MODE": "balanced"}
        return env


@contextmanager
def world(folder: Path, machine: Machine, tmux: TmuxServer) -> Iterator[World]:
    """A world that takes its panes with it."""
    made = World(folder, machine, tmux)
    try:
        yield made
    finally:
        made.close()


class Terminal:
    """A pane with a program in it: `agent` (hooks, bracketed paste) or `line` (neither)."""

    def __init__(self, world: World, tmux: TmuxServer, session_id: str, kind: str) -> None:
        self.kind = kind
        self.agent_type = {"agent": "claude", "line": "shell-only"}[kind]
        self._tmux = tmux
        self._record = world.folder / f"record-{safe_id(session_id)}"
        self._probes = 0
        self._pane = self._started(world, session_id)
        wait_until(lambda: self.told("ready"), timeout=30, what="the program in the pane")
        prompt = {"agent": ">", "line": "?"}[kind]
        wait_until(lambda: tmux.capture(self._pane).startswith(prompt), what="its prompt")

    def _started(self, world: World, session_id: str) -> Pane:
        env = {"PYTHONPATH": str(ROOT), "GEMBA_HOME": str(world.home)}
        if self.kind == "line":
            argv = [sys.executable, str(_LINE_READER), str(self._record)]
        else:
            program = [sys.executable, "-m", "tests.torture.programs.agent"]
            argv = [*program, str(self._record), str(world.log(session_id)), session_id]
        return self._tmux.new_pane(argv, env)

    @property
    def address(self) -> Json:
        """Where answers are typed."""
        return {
            "tmux_socket": str(self._tmux.socket),
            "tmux_server_pid": self._tmux.server_pid,
            "tmux_pane": self._pane.pane_id,
            "agent": ancestry(self._pane.pid)[0],
        }

    def told(self, event: str) -> list[str]:
        """The texts of the program's events of that name."""
        if not self._record.exists():
            return []
        complete = self._record.read_text(encoding="utf-8").split("\n")[:-1]
        events: list[Mapping[str, str]] = [json.loads(line) for line in complete]
        return [entry["text"] for entry in events if entry["event"] == event]

    def submitted(self) -> list[str]:
        """What the program was sent, less what `clear` sent."""
        return [text for text in self.told("submitted") if not text.startswith("probe")]

    def typed(self, text: str) -> int:
        """How often that text was typed, submitted or not."""
        if self.kind == "line":
            return self._tmux.capture(self._pane).count(text)
        return sum(pasted.count(text) for pasted in self.told("pasted"))

    def settle(self) -> None:
        """Wait until the program has taken in all that was typed before."""
        if self.kind == "agent":
            seen = len(self.told("key"))
            self._tmux.send_keys(self._pane, "C-g")
            wait_until(lambda: len(self.told("key")) > seen, what="the program's sign of life")

    def clear(self) -> None:
        """Do what a person does with a text that was left in the input line: delete it."""
        if self.kind == "agent":
            self.settle()
            seen = len(self.told("emptied"))
            os.kill(self._pane.pid, signal.SIGUSR2)
            wait_until(lambda: len(self.told("emptied")) > seen, what="a clear line")
            return
        self._probes += 1
        probe = f"probe {self._probes}"
        self._tmux.send_keys(self._pane, "C-u")
        self._tmux.send_keys(self._pane, probe, literal=True)
        self._tmux.send_keys(self._pane, "Enter")
        wait_until(lambda: probe in self.told("submitted"), what="the probe")

    def close(self) -> None:
        self._tmux.run("kill-pane", "-t", self._pane.pane_id)


def decoded(line: bytes) -> Json | None:
    """The frame in that line; None if it is none."""
    try:
        frame = json.loads(line)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) and "hook" in frame and "event_id" in frame else None
