"""Running an operation, killing it at a step, and checking what it left behind."""

import itertools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.tmux_server import TmuxServer
from tests.torture import promises
from tests.torture.machine import Machine
from tests.torture.operation import Operation
from tests.torture.world import Done, World, world

# More than there are processors: most of a case is waiting for a terminal.
THREADS = 4
WHEN = ("before", "within", "after")
_KILLED = -9
# What a rival may be told: done, failed, no such escalation, already settled. Never a crash.
_ALLOWED = (0, 1, 4, 5)
# Steps that can be done half: the others are done or not.
_TEARABLE = ("write", "print", "input")


@dataclass(frozen=True)
class Rival:
    """What another process does at the same time."""

    argv: Callable[[World], tuple[str, ...]]
    is_first: bool


@dataclass(frozen=True)
class Case:
    """An operation that is killed `when` its step number `at`, with or without a rival."""

    operation: Operation
    at: int = 0
    when: str = "before"
    rival: Rival | None = None
    fault: str = ""

    def __str__(self) -> str:
        rival = " with a rival" if self.rival else ""
        return f"{self.operation.name}, killed {self.when} step {self.at}{rival}"


class Bench:
    """Runs cases, each in a world of its own."""

    def __init__(self, folder: Path, machine: Machine, tmux: TmuxServer) -> None:
        self._folder = folder
        self._machine = machine
        self._tmux = tmux
        self._numbers = itertools.count(1)

    def steps(self, operation: Operation) -> list[str]:
        """The names of the operation's steps, from a run that nobody kills."""
        done = self.run(Case(operation))
        assert done.code == operation.code, f"{operation.name}: exit {done.code}: {done.stderr}"
        missing = operation.steps - set(done.steps)
        assert not missing, f"{operation.name}: the steps {missing} were not seen"
        return done.steps

    def run(self, case: Case) -> Done:
        """Run it and check every promise; the operation's end."""
        with world(self._folder / f"{next(self._numbers)}", self._machine, self._tmux) as made:
            made.fault = case.fault
            case.operation.prepare(made)
            done = self._killed(case, made)
            try:
                promises.check_logs(made)
                if case.at and not case.rival:
                    case.operation.again(made)
                promises.check(made, done)
            except AssertionError as broken:
                broken.add_note(_told(case, done, made))
                raise
        return done

    def run_all(self, cases: Iterable[Case]) -> list[Done]:
        """Run them side by side. Raises the first promise that was broken, and counts the rest."""
        with ThreadPoolExecutor(THREADS) as pool:
            running = [pool.submit(self.run, case) for case in cases]
            broken = [error for one in running if (error := one.exception()) is not None]
        if broken:
            broken[0].add_note(f"{len(broken)} of {len(running)} cases broke a promise")
            raise broken[0]
        return [one.result() for one in running]

    def _killed(self, case: Case, made: World) -> Done:
        rival, running = case.rival, []
        if rival and rival.is_first:
            running.append(made.start(*rival.argv(made)))
        started = case.operation.start(made, at=case.at, when=case.when)
        running.append(started)
        if rival and not rival.is_first:
            running.append(made.start(*rival.argv(made)))
        try:
            case.operation.meanwhile(made, started)
        finally:
            ended = {id(one): made.done(one) for one in running}
        done = ended.pop(id(started))
        for other in ended.values():
            assert other.code in _ALLOWED, f"{other.argv}: exit {other.code}: {other.stderr}"
        return done


def kills(operation: Operation, steps: list[str]) -> list[Case]:
    """Every step of the operation, killed before it, after it and, where it can be, within it."""
    return [
        Case(operation, number, when)
        for number, name in enumerate(steps, 1)
        for when in WHEN
        if when != "within" or name.endswith(_TEARABLE)
    ]


def was_killed(done: Done) -> bool:
    """Whether the run really died."""
    return done.code == _KILLED


def _told(case: Case, done: Done, made: World) -> str:
    """What a person needs to understand a broken promise."""
    logs = "\n".join(f"{path.name}:\n{path.read_text(errors='replace')}" for path in made.logs())
    reached = "\n".join(f"  {number} {name}" for number, name in enumerate(done.steps, 1))
    said = f"exit {done.code}; stdout {done.stdout!r}; stderr {done.stderr!r}"
    typed = {name: one.told("submitted") for name, one in made.terminals.items()}
    return f"{case}\n{said}\nsteps:\n{reached}\nsubmitted: {typed}\n{logs[-8000:]}"
