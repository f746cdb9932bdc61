"""`gemba skills lint`."""

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import click
import msgspec

from gemba.output import print_json, warn, write
from gemba_core.errors import UsageError
from gemba_core.frame.text import shown_line
from gemba_core.install import files
from gemba_core.skills.document import parse, read_bytes
from gemba_core.skills.lint import Fault, Finding, Rule, chosen, fixed, own_folders, targets
from gemba_core.skills.lint import lint as lint_file
from gemba_core.skills.lint.config import load
from gemba_core.skills.lint.formats import annotations, plain, sarif

_EPILOG = """\
Examples:

\b
  gemba skills lint
  gemba skills lint skills .claude/skills --ignore GS2
  gemba skills lint --select GS105,bad-ask --format github
  gemba skills lint --fix

\b
Without paths it takes `skills` and the skill folders of the workspace. A finding that is
right as it is: <!-- gemba: ignore[RULE] reason -->, in front matter # gemba: ignore[RULE] reason.

\b
Exit codes: 0 no error and no warning (notes are allowed); 1 findings, or a file that cannot
be read or written; 2 usage, no skill to check, an unknown rule, or a configuration that
cannot be used.
"""
_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_WIDTH = 300
_MARGIN = "    "


@dataclass(frozen=True, slots=True)
class _Report:
    """What was found, in how many files, and their lines by path for the excerpts."""

    findings: Sequence[Finding]
    rules: Sequence[Rule]
    files: int
    mended: int
    lines: dict[str, list[str]]


@click.command(epilog=_EPILOG)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="How findings are printed.",
)
@click.option("--select", multiple=True, metavar="RULES", help="These alone: ids, GS1, names.")
@click.option("--ignore", multiple=True, metavar="RULES", help="All but these.")
@click.option("--fix", is_flag=True, help="Mend in place what mends itself.")
def lint(
    paths: tuple[str, ...], form: str, select: tuple[str, ...], ignore: tuple[str, ...], fix: bool
) -> None:
    """Check skills: the authoring contract, the Agent Skills standard."""
    config = load(os.getcwd())
    rules = chosen(_split(select) or config.select, [*_split(ignore), *config.ignore])
    named = paths or config.paths or tuple(own_folders(os.getcwd()))
    if missing := [path for path in named if not os.path.lexists(path)]:
        raise UsageError(f"{missing[0]}: no such file or folder; name one that is there")
    findings: list[Finding] = []
    lines: dict[str, list[str]] = {}
    count, mended, failed = 0, 0, False
    for path in targets(named, config.exclude):
        count += 1
        try:
            data = read_bytes(path)
            if fix and _mend(path, data, rules):
                mended += 1
                data = read_bytes(path)
        except OSError as error:
            warn([f"{path}: {error.strerror or error}"])
            failed = True
            continue
        found = lint_file(path, data, rules)
        findings += found
        if found:
            lines[path] = parse(path, data).text.split("\n")
    if not count:
        raise UsageError(f"no skills in {_places(named)}; name files or folders that hold some")
    _PRINTERS[form](_Report(findings, rules, count, mended, lines))
    sys.exit(1 if failed or any(one.severity != "note" for one in findings) else 0)


def _places(named: Sequence[str]) -> str:
    return shown_line(", ".join(named), _WIDTH) or "this workspace"


def _split(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for one in given for name in one.split(",") if name.strip())


def _mend(path: str, data: bytes, rules: Sequence[Rule]) -> bool:
    """Whether there was something to mend, and is no more. Raises OSError, GembaError."""
    mended = fixed(path, data, rules)
    if mended == data:
        return False
    # A link stays a link: what it leads to is written.
    files.write(os.path.realpath(path), mended, expected=data)
    return True


def _print_text(report: _Report) -> None:
    shown = [
        line for one in report.findings for line in _shown(one, report.lines.get(one.path, []))
    ]
    write(("\n".join([*shown, _summary(report)]) + "\n").encode("utf-8", "replace"))


def _shown(finding: Finding, lines: Sequence[str]) -> Iterator[str]:
    at = finding.fault.at
    where = f"{shown_line(finding.path, _WIDTH)}:{at.line}:{at.column}:"
    message = shown_line(finding.fault.message, _WIDTH)
    if not sys.stdout.isatty():
        yield f"{where} {finding.rule} {message}"
        return
    colour = _COLOURS[finding.severity]
    yield f"{where} {click.style(finding.rule, fg=colour, bold=True)} {message}"
    text = lines[at.line - 1] if at.line <= len(lines) else ""
    if text.isprintable() and text.strip():
        yield from _excerpt(text, finding.fault, colour)


def _excerpt(text: str, fault: Fault, colour: str) -> Iterator[str]:
    """The line, and marks below the place, where the terminal has room for them."""
    # Imported here: pipes and programs get none.
    from rich.cells import cell_len

    room = shutil.get_terminal_size().columns - len(_MARGIN)
    if cell_len(text) > room:
        return
    start = fault.at.column - 1
    end = fault.end.column - 1 if fault.end.line == fault.at.line else len(text)
    marks = " " * cell_len(text[:start]) + "^" * max(cell_len(text[start:end]), 1)
    yield f"{_MARGIN}{text}"
    yield f"{_MARGIN}{click.style(marks, fg=colour)}"


def _summary(report: _Report) -> str:
    files_ = f"{report.files} file{'' if report.files == 1 else 's'}"
    done = f"; {report.mended} mended" if report.mended else ""
    if not report.findings:
        return f"{files_}, no findings{done}"
    counts = Counter[str](one.severity for one in report.findings)
    parts = [
        f"{counts[severity]} {severity}{'' if counts[severity] == 1 else 's'}"
        for severity in _COLOURS
        if counts[severity]
    ]
    fixable = sum(one.fault.fix is not None for one in report.findings)
    more = f"; --fix mends {fixable}" if fixable else ""
    return f"{', '.join(parts)} in {len(report.lines)} of {files_}{more}{done}"


def _print_json(report: _Report) -> None:
    print_json(plain(report.findings))


def _print_sarif(report: _Report) -> None:
    made = sarif(report.findings, report.rules, version("gemba-toolkit"))
    write(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")


def _print_github(report: _Report) -> None:
    write("".join(f"{line}\n" for line in annotations(report.findings)).encode())


_PRINTERS: dict[str, Callable[[_Report], None]] = {
    "text": _print_text,
    "json": _print_json,
    "sarif": _print_sarif,
    "github": _print_github,
}
