"""One phase: an agent is given its prompt, runs, and its result is put into place or is not."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gemba_core.agents import Agent
from gemba_core.errors import GembaError, LogError
from gemba_core.home import make_private_dir, write_private
from gemba_core.workflow import response, session
from gemba_core.workflow.action import Spawn
from gemba_core.workflow.agent import OneShot, one_shot
from gemba_core.workflow.context import compose
from gemba_core.workflow.group import Group, end_orphan
from gemba_core.workflow.journal import Journal
from gemba_core.workflow.output import Output
from gemba_core.workflow.paths import NotThere, naming
from gemba_core.workflow.process import Process, Running, Stopping
from gemba_core.workflow.record import Mark, Reissued, Reported, Started
from gemba_core.workflow.response import VARIABLE, Response
from gemba_core.workflow.site import Site

# Characters of what an agent said that the journal keeps.
_LONGEST_RESPONSE = 16_384
_LONGEST_TAIL = 300


@dataclass(frozen=True, slots=True)
class Limits:
    """`most`: agents side by side. `seconds`: for each attempt that names no limit of its own."""

    most: int = 4
    seconds: float = 3600.0


@dataclass(frozen=True, slots=True)
class Equipment:
    """What every phase of a workflow is run with."""

    site: Site
    agent: Agent
    journal: Journal
    inherited: Mapping[str, str]
    mode: str
    limits: Limits


class Phase:
    """The agent of one item of one step."""

    def __init__(self, equipment: Equipment, step: int, item: int, spawn: Spawn) -> None:
        """Raises Outside."""
        self._with = equipment
        self._step = step
        self._item = item
        self._spawn = spawn
        self._limit = spawn.timeout or equipment.limits.seconds
        self._folder = equipment.site.action_folder(step, item)
        self._output = Output(equipment.site.output_file(spawn.output_file), self._folder)

    def run(self, running: Running) -> str | None:
        """Try as often as it may; why it failed the last time, if it did.

        Raises GembaError where the agent cannot be started at all, Stopping.
        """
        why: str | None = None
        for attempt in range(1, self._spawn.attempts + 1):
            why = self._attempt(attempt, running)
            if why is None:
                return None
        return f"{self._spawn.output_file} failed ({why})"

    def recover(self, left: Started) -> None:
        """Settle what a runner that died has left: a file that the agent wrote and said to be its
        success counts; else its traces are undone, and it is to run again."""
        was_running = end_orphan(Group(left.pid, left.started))
        _end_session(left.session)
        how = "was ended" if was_running else "has ended, nobody knows how"
        self._settle(left.mark, f"its runner died; the agent {how}")

    def _settle(self, mark: Mark, why: str) -> None:
        """What an agent that did not come to its end has left."""
        said = response.read(self._folder)
        if said is not None and self._is_whole(None, said, mark):
            self._succeeded(mark, said)
            return
        # First: what is put back looks like written, and a success that was said would count then.
        response.forget(self._folder)
        self._output.undo(mark)
        self._with.journal.append(Reissued(self._step, self._item, why))

    def _attempt(self, attempt: int, running: Running) -> str | None:
        make_private_dir(self._folder)
        response.forget(self._folder)
        try:
            prompt = compose(self._spawn, self._with.site)
        except NotThere as error:
            return self._failed(str(error))
        mark = self._output.mark()
        once = self._one_shot(prompt)
        try:
            code = self._ran(attempt, once, mark, running)
        except (Stopping, SystemExit, KeyboardInterrupt):
            self._settle(mark, "interrupted; the agent was stopped")
            raise
        finally:
            _end_session(once.launch.session_id)
        said = response.read(self._folder)
        why = self._why_failed(code, said, mark)
        if why is not None:
            self._output.undo(mark)
            return self._failed(why)
        # Where it leads may have changed while the agent ran.
        self._with.site.output_file(self._spawn.output_file)
        self._succeeded(mark, said)
        return None

    def _one_shot(self, prompt: str) -> OneShot:
        path = self._file("prompt.md")
        with naming(path):
            write_private(path, prompt.encode("utf-8", "replace"))
        return one_shot(
            self._with.agent,
            self._with.inherited,
            prompt=prompt,
            prompt_file=path,
            mode=self._with.mode,
        )

    def _ran(self, attempt: int, once: OneShot, mark: Mark, running: Running) -> int | None:
        """The agent's exit code; None if its time was over."""
        environment = once.launch.environment(self._with.inherited, own_pane=False)
        try:
            process = Process(
                once.launch.argv,
                folder=self._with.site.skill.root,
                environment={**environment, VARIABLE: self._folder},
                stdin=once.stdin,
                stdout=self._file("printed"),
                stderr=self._file("errors"),
            )
        except OSError as error:
            raise GembaError(f"{once.launch.argv[0]}: not started: {error}") from error
        with running.one(process):
            started = Started(
                self._step,
                self._item,
                attempt,
                once.launch.session_id,
                process.group.pid,
                process.group.started,
                mark,
            )
            self._with.journal.append(started)
            process.go()
            return process.wait(self._limit)

    def _why_failed(self, code: int | None, said: Response | None, mark: Mark) -> str | None:
        if said is not None and said.status == "failed":
            return f"the agent said: {said.message}"
        if code == 0 or (said is not None and self._is_whole(code, said, mark)):
            return None
        if code is None:
            return f"ended after {self._limit:g} s"
        how = f"exit {code}" if code > 0 else f"ended by signal {-code}"
        tail = self._tail("errors") or self._tail("printed")
        return f"{how}: {tail}" if tail else how

    def _is_whole(self, code: int | None, said: Response, mark: Mark) -> bool:
        """Whether the success that was said has its result: an agent says so before it prints,
        so of one that was ended only the file that it wrote itself is certain."""
        has_ended_itself = code is not None and code >= 0
        return said.status == "success" and (has_ended_itself or self._output.was_written(mark))

    def _succeeded(self, mark: Mark, said: Response | None) -> None:
        detail = said.message if said is not None else "exit 0"
        kept = None
        if self._output.was_written(mark):
            kept = self._text("printed")[:_LONGEST_RESPONSE]
        else:
            self._output.place(self._file("printed"))
        self._report(True, detail, kept)

    def _failed(self, why: str) -> str:
        self._report(False, why, None)
        return why

    def _report(self, is_done: bool, detail: str, kept: str | None) -> None:
        self._with.journal.append(Reported(self._step, self._item, is_done, detail, kept))

    def _tail(self, name: str) -> str:
        """The last line that says something."""
        lines = self._text(name).strip().splitlines()
        return lines[-1].strip()[:_LONGEST_TAIL] if lines else ""

    def _text(self, name: str) -> str:
        """What is in that file of the action; nothing where it has been moved into place."""
        try:
            return Path(self._file(name)).read_text("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def _file(self, name: str) -> str:
        return os.path.join(self._folder, name)


def _end_session(name: str) -> None:
    """The agent's process has ended, and with it its session."""
    # What the phase has come to does not depend on a log.
    with suppress(LogError):
        session.end(name)
