"""`gemba adaptor test`."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from gemba.output import print_json
from gemba_core.errors import UsageError
from gemba_core.frame.text import shown_line

if TYPE_CHECKING:
    from gemba_core.testing import Probe, Result

_EPILOG = """\
Examples:

\b
  gemba adaptor test noop
  gemba adaptor test my_package.tests.test_mine:MySubject --junit report.xml
  gemba adaptor test noop --probe end_session_idempotent

\b
Exit codes: 0 no probe failed (what was skipped is said); 1 some failed, or the adaptor
cannot be loaded or opened; 2 usage; 4 no such adaptor.
"""
_MARKS = {"passed": ("ok", "green"), "failed": ("FAIL", "red"), "skipped": ("skip", "yellow")}
_WIDTH = 300


@click.command(epilog=_EPILOG)
@click.argument("target")
@click.option("--probe", "only", multiple=True, metavar="NAME", help="This one alone; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="One object (docs/adaptors.md).")
@click.option(
    "--junit",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a JUnit XML report there as well.",
)
def test(target: str, only: tuple[str, ...], as_json: bool, junit: Path | None) -> None:
    """Whether an adaptor keeps the contract: a probe for each rule.

    TARGET is an installed adaptor, or MODULE:NAME of what opens one or of a Subject.
    """
    # Imported here: what the suite needs, no other command should load.
    from gemba_core.testing import Report, results, subject_of

    probes = _chosen(only)
    if junit is not None:
        _check_writable(junit)
    found = results(subject_of(target), probes)
    report = Report(target, tuple(found if as_json else _told(found, len(probes))))
    if junit is not None:
        junit.write_bytes(report.to_junit())
    if as_json:
        print_json(report.to_json())
    else:
        counts = report.to_json()
        click.echo(", ".join(f"{counts[word]} {word}" for word in _MARKS))
    sys.exit(0 if report.is_conformant else 1)


def _check_writable(path: Path) -> None:
    """Before the probes, which take minutes. Raises UsageError."""
    try:
        path.open("ab").close()
    except OSError as error:
        raise UsageError(f"--junit: {path}: {error.strerror}") from error


def _chosen(only: Sequence[str]) -> Sequence["Probe"]:
    """Those that are asked for. Raises UsageError for one that there is not."""
    from gemba_core.testing import PROBES  # for the same reason as above

    unknown = sorted(set(only) - {probe.name for probe in PROBES})
    if unknown:
        raise UsageError(f"--probe {unknown[0]}: there is none; docs/adaptors.md lists them")
    return [probe for probe in PROBES if not only or probe.name in only]


def _told(found: Iterator["Result"], count: int) -> Iterator["Result"]:
    """The same, each with its line as it comes; on a terminal with a bar below."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, transient=True, disable=not sys.stdout.isatty()) as progress:
        task = progress.add_task("probes", total=count)
        for result in found:
            progress.console.print(_line(result), soft_wrap=True)
            progress.advance(task)
            yield result


def _line(result: "Result") -> Text:
    word, colour = _MARKS[result.outcome]
    reason = f": {shown_line(result.reason, _WIDTH)}" if result.reason else ""
    return Text.assemble(
        (f"{word:<4}", colour), f"  {result.probe.group} {result.probe.name}{reason}"
    )
