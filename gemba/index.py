"""`gemba index status|rebuild`."""

import click
from msgspec import Struct

from gemba.output import print_json, warn
from gemba_core import home
from gemba_core.frame.text import counted, shown_line
from gemba_core.inbox.opened import use_index
from gemba_core.index import Dropped, Index, LogStatus


@click.group(epilog="Example: gemba index status")
def index() -> None:
    """The index of the logs: it can be rebuilt at any time."""


@index.command(epilog="Example: gemba index status")
@click.option("--json", "as_json", is_flag=True, help="Counts, bad lines and dropped frames.")
def status(as_json: bool) -> None:
    """How far the logs are read, and what in them did not count."""
    told = use_index(_status)
    if as_json:
        print_json(told)
        return
    warn(told.problems)
    click.echo(f"{told.path}: generation {told.generation}, {counted(told.logs, 'log')} read")
    for log in told.bad_lines:
        click.echo(f"{log.name}: {counted(log.bad_lines, 'bad line')}; see gemba log verify")
    for one in told.dropped:
        times = counted(one.count, "time")
        click.echo(f"{one.log}: {shown_line(one.hook)} dropped {times}: {one.reason}")


@index.command(epilog="Example: gemba index rebuild")
def rebuild() -> None:
    """Empty the index and refill it from the logs; nothing is lost."""

    def run(opened: Index) -> tuple[int, list[str]]:
        opened.rebuild()
        return len(opened.logs()), opened.problems

    logs, problems = use_index(run)
    warn(problems)
    click.echo(f"rebuilt from {counted(logs, 'log')}")


class Status(Struct, frozen=True):
    """What `gemba index status --json` prints."""

    path: str
    generation: int
    revision: int
    logs: int
    bytes: int
    bad_lines: list[LogStatus]
    dropped: list[Dropped]
    problems: list[str]


def _status(opened: Index) -> Status:
    logs = opened.logs()
    return Status(
        home.index_path(),
        opened.generation(),
        opened.revision(),
        len(logs),
        sum(log.offset for log in logs),
        [log for log in logs if log.bad_lines],
        opened.dropped(),
        opened.problems,
    )
