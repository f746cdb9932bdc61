"""`gemba log show|verify|prune`."""

import os
import sys
from collections.abc import Iterator

import click

from gemba.completion import complete_sessions
from gemba.output import print_json, write
from gemba_core import home
from gemba_core.errors import NotFound, UsageError
from gemba_core.frame.text import counted, shown_line
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.prune import prune as use_case
from gemba_core.settings import seconds
from gemba_core.tail import BadLine, Line, lines, open_log
from gemba_core.translator import SessionState, fold
from gemba_core.translator.change import Change, Dropped


@click.group(epilog="Example: gemba log verify")
def log() -> None:
    """The sessions' logs: the truth behind everything else."""


@log.command(epilog="Example: gemba log show tmux:%3")
@click.argument("session", metavar="ID", shell_complete=complete_sessions)
@click.option("--hook", multiple=True, help="Only these, for example GembaAsk.")
@click.option("--json", "as_json", is_flag=True, help="The frames as they are, one a line.")
def show(session: str, hook: tuple[str, ...], as_json: bool) -> None:
    """The frames of one session, oldest first."""
    path = home.log_path(session)
    for line in _lines(path):
        found = line.found
        if isinstance(found, BadLine):
            click.echo(f"{path}:{line.number}: {found.why}", err=True)
        elif found.session_id == session and (not hook or found.hook in hook):
            if as_json:
                write(line.data + b"\n")
            else:
                said = bytes(found.payload).decode("utf-8", "replace") or found.payload_raw or ""
                ts, hook_ = shown_line(found.ts, 40), shown_line(found.hook, 40)
                write(f"{ts}  {hook_:<18}  {shown_line(said, 200)}\n".encode())


@log.command(epilog="Example: gemba log verify   (exit 1 if anything is found)")
@click.argument("session", metavar="[ID]", required=False, shell_complete=complete_sessions)
@click.option("--json", "as_json", is_flag=True, help="An array of findings.")
def verify(session: str | None, as_json: bool) -> None:
    """List what is no frame, or changed nothing, with the reason."""
    paths = [home.log_path(session)] if session is not None else _all_logs()
    findings = [finding for path in paths for finding in _findings(path)]
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            where = f"{finding['path']}:{finding['line']} (byte {finding['offset']})"
            what = shown_line(str(finding["what"]), 200)
            click.echo(f"{where}: {what}; it is kept, reading goes on")
        click.echo(f"{counted(len(paths), 'log')}, {counted(len(findings), 'finding')}")
    sys.exit(1 if findings else 0)


@log.command(epilog="Example: gemba log prune --older-than 30d --dry-run")
@click.option("--older-than", required=True, metavar="TIME", help="Ended so long ago: 30d, 12h.")
@click.option("--dry-run", is_flag=True, help="Only say which.")
@click.option("--json", "as_json", is_flag=True, help="An array of paths.")
def prune(older_than: str, dry_run: bool, as_json: bool) -> None:
    """Remove the logs of ended sessions with nothing open."""
    age = seconds(older_than)
    if age is None:
        raise UsageError(f"--older-than {older_than!r}: give a time such as 30d or 12h")
    paths = use_index(lambda index: use_case(index, older_than=age, dry_run=dry_run))
    if as_json:
        print_json(paths)
        return
    for path in paths:
        click.echo(path)
    click.echo(f"{counted(len(paths), 'log')} {'would be ' if dry_run else ''}removed")


def _lines(path: str) -> Iterator[Line]:
    fd = open_log(path)
    if fd is None:
        raise NotFound(f"{path}: no such log; `gemba sessions list` shows the sessions")
    try:
        yield from lines(fd)
    finally:
        os.close(fd)


def _all_logs() -> list[str]:
    folder = home.sessions_dir()
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(os.path.join(folder, name) for name in names if name.endswith(home.LOG_SUFFIX))


def _findings(path: str) -> Iterator[dict[str, object]]:
    states: dict[str, SessionState] = {}
    dropped: list[Dropped] = []

    def note(_: SessionState, changes: tuple[Change, ...]) -> None:
        dropped.extend(change for change in changes if type(change) is Dropped)

    name = os.path.basename(path).removesuffix(home.LOG_SUFFIX)
    for line in _lines(path):
        if isinstance(line.found, BadLine):
            reasons = [line.found.why]
        else:
            dropped.clear()
            fold(name, states, [line.found], note)
            reasons = [f"{one.hook} {one.event_id}: dropped: {one.reason}" for one in dropped]
        for what in reasons:
            yield {"path": path, "line": line.number, "offset": line.offset, "what": what}
