"""Findings for programs: JSON, SARIF, GitHub's annotations."""

from gemba_core.skills.lint.formats.annotations import annotations
from gemba_core.skills.lint.formats.plain import plain
from gemba_core.skills.lint.formats.sarif import sarif

__all__ = ["annotations", "plain", "sarif"]
