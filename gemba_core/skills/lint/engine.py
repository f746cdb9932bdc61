"""Skills in, findings out."""

from collections.abc import Iterator, Sequence

from gemba_core.skills.lint.finding import Fault, Finding
from gemba_core.skills.lint.ignores import Ignore, may_ignore, read_ignores
from gemba_core.skills.lint.rule import Rule, Scope
from gemba_core.skills.lint.rules import RULES, unreasoned_ignore, unused_ignore
from gemba_core.skills.lint.subject import Subject

# More than that would be a fix that undoes another one.
_MAX_ROUNDS = 5


def lint(path: str, data: bytes, rules: Sequence[Rule] = RULES) -> tuple[Finding, ...]:
    """What these rules find in a file of that path with these bytes, from top to bottom.

    Never raises. The disk is read only for the files beside it.
    """
    subject = Subject(path, data)
    scopes = _scopes(subject)
    found = [
        Finding(path, rule.id, rule.name, rule.severity, fault)
        for rule in rules
        if rule.scope in scopes
        for fault in rule.check(subject)
    ]
    document = subject.document
    ignores = read_ignores(document, subject.body if may_ignore(document) else None)
    if ignores:
        found = [*_left(found, ignores), *_of_ignores(path, found, ignores, rules)]
    return tuple(sorted(found, key=lambda finding: finding.order))


def fixed(path: str, data: bytes, rules: Sequence[Rule] = RULES) -> bytes:
    """The file with all mended that mends itself. Doing it once more changes nothing."""
    for _ in range(_MAX_ROUNDS):
        before = data
        for finding in lint(path, data, rules):
            if finding.fault.fix is not None:
                data = finding.fault.fix(data)
        if data == before:
            break
    return data


def _scopes(subject: Subject) -> set[Scope]:
    scopes: set[Scope] = {"file"}
    if subject.is_contract:
        scopes.add("contract")
    if subject.is_standard:
        scopes.add("standard")
    return scopes


def _left(found: list[Finding], ignores: Sequence[Ignore]) -> Iterator[Finding]:
    for finding in found:
        if not any(_hides(one, finding) for one in ignores):
            yield finding


def _hides(ignore: Ignore, finding: Finding) -> bool:
    return ignore.holds_for(finding.fault.at.line, (finding.rule, finding.name))


def _of_ignores(
    path: str, found: list[Finding], ignores: Sequence[Ignore], rules: Sequence[Rule]
) -> Iterator[Finding]:
    """What is wrong with the ignores themselves. Of a rule that was not run nothing is known."""
    idle = {name for rule in RULES if rule not in rules for name in (rule.id, rule.name)}
    for ignore in ignores:
        wrong = []
        if not ignore.rules:
            what = "an ignore without a rule; write `gemba: ignore[RULE] reason`"
            wrong.append((unused_ignore.RULE, what))
        elif not ignore.reason:
            what = "an ignore without a reason; say why behind the bracket"
            wrong.append((unreasoned_ignore.RULE, what))
        for name in ignore.rules:
            used = any(_hides(ignore, one) and name in (one.rule, one.name) for one in found)
            if not used and name not in idle:
                wrong.append((unused_ignore.RULE, f"nothing to ignore of {name}; take it out"))
        for rule, what in wrong:
            if rule in rules:
                fault = Fault(ignore.at, ignore.end, what)
                yield Finding(path, rule.id, rule.name, rule.severity, fault)
