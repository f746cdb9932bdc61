"""Findings as GitHub shows them beside the lines of a pull request.

Source: GitHub's "Workflow commands", "Setting an error message".
"""

from collections.abc import Iterable, Iterator

from gemba_core.frame.text import one_line
from gemba_core.skills.lint.finding import Finding

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_TOO_LONG = 1000


def annotations(findings: Iterable[Finding]) -> Iterator[str]:
    """One line for each finding."""
    for finding in findings:
        at, end = finding.fault.at, finding.fault.end
        said = {
            "file": finding.path,
            "line": str(at.line),
            "endLine": str(end.line),
            "title": f"{finding.rule} {finding.name}",
        }
        if at.line == end.line:  # else GitHub takes no columns
            said |= {"col": str(at.column), "endColumn": str(end.column)}
        properties = ",".join(f"{key}={_property(value)}" for key, value in said.items())
        message = _escaped(one_line(finding.fault.message, _TOO_LONG))
        yield f"::{_COMMANDS[finding.severity]} {properties}::{message}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
