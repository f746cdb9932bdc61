"""What a workflow does, as it goes: live on a terminal, plain lines or JSON elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click
import msgspec

from gemba_core.frame.text import shown_line
from gemba_core.workflow.action import Action, GateFailed, checked, outputs_of
from gemba_core.workflow.journal import Tell
from gemba_core.workflow.person import RETRY, STOP
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
from gemba_core.workflow.site import action_path

_WIDTH = 160


@contextmanager
def showing(*, as_json: bool, pending: Action | None = None) -> Iterator[Tell]:
    """Something to tell each record to; `pending` is the order that stands before the first."""
    if as_json:
        # Not print_json, which leaves with 0 where nobody reads on: this run is not done then.
        yield lambda record: click.echo(msgspec.json.encode(record))
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
        self._failed: set[int] = set()

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
                self._outputs, self._failed = _outputs(action), set()
                if isinstance(action, GateFailed):
                    return f"{record.step} a gate has failed: {action.reason}"
            case Started():
                self._since[record.item] = time.monotonic()
                again = f", attempt {record.attempt}" if record.attempt > 1 else ""
                return f"{self.name(record.step, record.item)}: begins{again} ({record.session})"
            case Reissued():
                return f"{self.name(record.step, record.item)}: is to run again: {record.why}"
            case Reported():
                how = "done" if record.is_done else "failed"
                self._failed.discard(record.item)
                if not record.is_done:
                    self._failed.add(record.item)
                after = self._since.pop(record.item, None)
                took = f" after {time.monotonic() - after:.1f} s" if after else ""
                name = self.name(record.step, record.item)
                return f"{name}: {how}{took}: {record.detail}"
            case Consulted():
                how = f"gemba escalations respond {record.escalation[:8]} {self._choices(record)}"
                return f"{record.step} waits for a person: {how} ({shown_line(record.text)})"
            case Settled():
                return f"{record.step} {record.ended}: {record.value or ''}"
            case _:
                pass
        return None

    def _choices(self, record: Consulted) -> str:
        """What may be answered, and where to look before."""
        if record.about == "ask":
            return "…"
        folders = ", ".join(action_path(record.step, item) for item in sorted(self._failed))
        return f"{RETRY} (or {STOP})" + (f"; its agent printed: {folders}" if folders else "")


def _outputs(action: Action | None) -> dict[int, str]:
    """What the action writes, by item."""
    return dict(enumerate(outputs_of(action) if action else (), 1))


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
