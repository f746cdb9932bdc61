"""The linter for skills: the authoring contract, the Agent Skills standard, and the files' form."""

from gemba_core.skills.lint.choice import chosen, named
from gemba_core.skills.lint.engine import fixed, lint
from gemba_core.skills.lint.finding import Fault, Finding
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.rules import RULES
from gemba_core.skills.lint.targets import own_folders, targets

__all__ = [
    "RULES",
    "Fault",
    "Finding",
    "Rule",
    "chosen",
    "fixed",
    "lint",
    "named",
    "own_folders",
    "targets",
]
