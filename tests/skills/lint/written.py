"""Skills as tests write them, and what the linter finds in them."""

from gemba_core.skills.lint import Finding, lint

COACH = "skills/tidy.md"
STANDARD = "tidy/SKILL.md"
# The line on which a body of `coach` and `manager` begins.
BODY = 6


def coach(body: str) -> str:
    """A coach's skill that is good but for its body."""
    return _skill("coach", body)


def manager(body: str) -> str:
    """A manager's skill that is good but for its body."""
    return _skill("manager", body)


def standard(*fields: str, body: str = "Move stray files where they belong.\n") -> str:
    """A SKILL.md with these lines as its front matter."""
    return "\n".join(["---", *fields, "---", body])


def _skill(variety: str, body: str) -> str:
    front = f"---\nskill_id: tidy\nvariety: {variety}\ndescription: Tidies the workspace.\n---\n"
    return front + body


def found(text: str | bytes, path: str = COACH) -> list[tuple[str, int]]:
    """(rule, line) of each finding."""
    return [(one.rule, one.fault.at.line) for one in findings(text, path)]


def rules(text: str | bytes, path: str = COACH) -> set[str]:
    """The rules that are broken."""
    return {one.rule for one in findings(text, path)}


def findings(text: str | bytes, path: str = COACH) -> tuple[Finding, ...]:
    """All findings."""
    return lint(path, text.encode() if isinstance(text, str) else text)
