"""What a workflow does, as it goes: live on a terminal, plain lines or JSON elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from gemba.output import print_json
from gemba_core.frame.text import shown_line
from gemba_core.workflow.action import Action, Ask, GateFailed, checked, spawns_of
from gemba_core.workflow.journal import Tell
from gemba_core.workflow.record import (
    Begun,
    Consulted,
    Issued,
    Record,
    Reissued,
    Reported,
    Settled,
    Started,
)

_WIDTH = 160


@contextmanager
def showing(*, as_json: bool, pending: Action | None = None) -> Iterator[Tell]:
    """Something to tell each record to; `pending` is the order that stands before the first."""
    if as_json:
        yield print_json
    elif sys.stdout.isatty():
        with _live(Lines(pending)) as tell:
            yield tell
    else:
        lines = Lines(pending)
        yield lambda record: _print(lines.of(record))


class Lines:
    """The lines that people read about the records, in their order."""

    def __init__(self, pending: Action | None) -> None:
        self._outputs = _outputs(pending)
        self._since: dict[int, float] = {}

    def of(self, record: Record) -> str | None:
        """What that one says; None where it is nothing to tell."""
        line = self._line(record)
        return shown_line(line, _WIDTH) if line else None

    def name(self, step: int, item: int) -> str:
        """What that item of the step in progress is called."""
        return f"{step}.{item} {self._outputs.get(item, '')}"

    def _line(self, record: Record) -> str | None:
        match record:
            case Begun():
                return f"{record.skill} in {record.argument}; session {record.session}"
            case Issued():
                action = checked(record.action)
                self._outputs = _outputs(action)
                if isinstance(action, GateFailed):
                    return f"{record.step} a gate has failed: {action.reason}"
            case Started():
                self._since[record.item] = time.monotonic()
                again = f", attempt {record.attempt}" if record.attempt > 1 else ""
                return f"{self.name(record.step, record.item)}: begins{again} ({record.session})"
            case Reissued():
                return f"{self.name(record.step, record.item)}: runs again: {record.why}"
            case Reported():
                how = "done" if record.is_done else "failed"
                after = self._since.pop(record.item, None)
                took = f" after {time.monotonic() - after:.1f} s" if after else ""
                name = self.name(record.step, record.item)
                return f"{name}: {how}{took}: {record.detail}"
            case Consulted():
                who = f"gemba escalations respond {record.escalation[:8]} …"
                return f"{record.step} waits for a person: {who} ({shown_line(record.text)})"
            case Settled():
                return f"{record.step} {record.ended}: {record.value or ''}"
            case _:
                pass
        return None


def _outputs(action: Action | None) -> dict[int, str]:
    """What the action writes, by item."""
    if isinstance(action, Ask):
        return {1: action.output_file}
    spawns = spawns_of(action) if action else ()
    return {item: spawn.output_file for item, spawn in enumerate(spawns, 1)}


def _print(line: str | None) -> None:
    if line:
        click.echo(line)


@contextmanager
def _live(lines: Lines) -> Iterator[Tell]:
    """The same lines, and below them what runs or waits now, with its time."""
    # Imported here: only a terminal pays for it.
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

    console = Console(highlight=False, emoji=False, markup=False)
    text = TextColumn("{task.description}", markup=False)
    with Progress(
        SpinnerColumn(), text, TimeElapsedColumn(), console=console, transient=True
    ) as progress:
        tasks: dict[int, TaskID] = {}

        def tell(record: Record) -> None:
            line = lines.of(record)
            if line:
                progress.print(line)
            if isinstance(record, Started):
                what = shown_line(lines.name(record.step, record.item))
                tasks[record.item] = progress.add_task(what, total=None)
            elif isinstance(record, Consulted):
                tasks[0] = progress.add_task("waits for a person", total=None)
            elif isinstance(record, Reported | Settled):
                task = tasks.pop(record.item if isinstance(record, Reported) else 0, None)
                if task is not None:
                    progress.remove_task(task)

        yield tell
