"""Findings as SARIF 2.1.0, which code hosts and editors read."""

import os
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from gemba_core.skills.lint.finding import Finding
from gemba_core.skills.lint.rule import Rule

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def sarif(findings: Iterable[Finding], rules: Sequence[Rule], version: str) -> dict[str, Any]:
    """One run of the rules, by Gemba of that version."""
    driver = {"name": "gemba skills lint", "version": version, "rules": [_rule(r) for r in rules]}
    number = {rule.id: at for at, rule in enumerate(rules)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, number[finding.rule]) for finding in findings],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.does},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.page(), "markdown": rule.page()},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, number: int) -> dict[str, Any]:
    at, end = finding.fault.at, finding.fault.end
    region = {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
    place = {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": finding.severity,
        "message": {"text": finding.fault.message},
        "locations": [{"physicalLocation": place}],
    }


def _uri(path: str) -> str:
    """Relative where the path is: then the reader says from where."""
    if os.path.isabs(path):
        return PurePath(path).as_uri()
    return quote(os.fsencode(PurePath(path).as_posix()))
