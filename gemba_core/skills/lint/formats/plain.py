"""Findings as plain values, to be written as JSON."""

from collections.abc import Iterable
from typing import Any

from gemba_core.skills.lint.finding import Finding


def plain(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """One object for each; lines and columns from 1, the end is behind the last character."""
    return [
        {
            "path": finding.path,
            "line": finding.fault.at.line,
            "column": finding.fault.at.column,
            "end_line": finding.fault.end.line,
            "end_column": finding.fault.end.column,
            "rule": finding.rule,
            "name": finding.name,
            "severity": finding.severity,
            "message": finding.fault.message,
            "fixable": finding.fault.fix is not None,
        }
        for finding in findings
    ]
