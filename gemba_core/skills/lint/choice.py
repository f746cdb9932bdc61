"""Which rules are run: by ids, beginnings of ids, and names."""

import difflib
from collections.abc import Iterable

from gemba_core.errors import UsageError
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.rules import RULES


def chosen(select: Iterable[str], ignore: Iterable[str]) -> tuple[Rule, ...]:
    """All rules that `select` names (all, where it is empty) but those that `ignore` names.

    Raises UsageError for what names no rule.
    """
    wanted = {rule.id for name in select for rule in named(name)} or {rule.id for rule in RULES}
    unwanted = {rule.id for name in ignore for rule in named(name)}
    return tuple(rule for rule in RULES if rule.id in wanted - unwanted)


def named(name: str) -> tuple[Rule, ...]:
    """The rules of that name, or whose id begins so. Raises UsageError where there is none."""
    found = tuple(
        rule for rule in RULES if name and (rule.id.startswith(name.upper()) or rule.name == name)
    )
    if not found:
        raise UsageError(f"no rule is named {name!r}{_meant(name)}; see `gemba skills rules`")
    return found


def _meant(name: str) -> str:
    names = [rule.name for rule in RULES] + [rule.id for rule in RULES]
    near = difflib.get_close_matches(name, names, n=1)
    return f" (did you mean {near[0]}?)" if near else ""
