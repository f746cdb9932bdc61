"""A rule: how it is checked, and the page that explains it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gemba_core.skills.lint.finding import Fault, Severity
from gemba_core.skills.lint.subject import Subject

# file: every skill; contract: what Gemba's authoring contract binds; standard: SKILL.md folders.
Scope: TypeAlias = Literal["file", "contract", "standard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    `check` is called only with a subject of its scope, and yields its faults in
    any order. `example` and `use` are whole skills: the first breaks the rule,
    the second does not. `does`, `why` and `note` are markdown.
    """

    id: str
    name: str
    severity: Severity
    scope: Scope
    does: str
    why: str
    example: str
    use: str
    check: Callable[[Subject], Iterable[Fault]]
    note: str = ""
    fixable: bool = False

    def page(self) -> str:
        """The rule's page, in markdown."""
        fix = "; `--fix` mends it" if self.fixable else ""
        parts = [
            f"# {self.id} {self.name}",
            f"{self.severity.capitalize()}{fix}. Applies to {_APPLIES[self.scope]}.",
            f"## What it does\n\n{self.does}",
            f"## Why it is bad\n\n{self.why}",
            f"## Example\n\n{_fenced(self.example)}",
            f"## Use instead\n\n{_fenced(self.use)}",
        ]
        if self.note:
            parts.append(f"## Note\n\n{self.note}")
        return "\n\n".join(parts) + "\n"


_APPLIES = {
    "file": "every skill",
    "contract": "skills under Gemba's authoring contract",
    "standard": "`SKILL.md` folders",
}


def _fenced(text: str) -> str:
    return f"````markdown\n{text.rstrip()}\n````"
