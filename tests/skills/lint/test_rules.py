"""Each rule has its page, and the page tells the truth."""

import re
from pathlib import Path

import pytest

from gemba_core.skills.lint import RULES, Rule
from tests.skills.lint.written import COACH, STANDARD, findings, found, rules

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs" / "lint.md").read_text()
# What breaks them cannot be shown on a page: it would be as long as it says, or no text.
UNSHOWN = {"GS005", "GS009", "GS205", "GS209"}
FIXTURES = Path(__file__).parent / "fixtures"


def path_of(rule: Rule) -> str:
    """A place where the rule applies."""
    return STANDARD if rule.scope == "standard" else COACH


def test_ids_and_names_are_unique() -> None:
    """An id and a name mean one rule."""
    assert len({rule.id for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert [rule.id for rule in RULES] == sorted(rule.id for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_example_breaks_its_rule(rule: Rule) -> None:
    """Who reads the page sees the fault."""
    if rule.id not in UNSHOWN:
        assert rule.id in rules(rule.example, path_of(rule))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_to_use_instead_has_no_finding(rule: Rule) -> None:
    """Of any rule: nobody is led from one fault into the next."""
    assert findings(rule.use, path_of(rule)) == ()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_stands_in_the_docs(rule: Rule) -> None:
    """With its name and severity, in a row of docs/lint.md."""
    assert re.search(rf"^\| {rule.id} \| {rule.name} \| {rule.severity} \|", DOCS, re.MULTILINE)


def test_the_docs_have_no_other_rule() -> None:
    """A rule that is gone is gone from the docs."""
    assert set(re.findall(r"^\| (GS\d+) \|", DOCS, re.MULTILINE)) == {rule.id for rule in RULES}


def test_the_example_of_the_contract_has_no_finding() -> None:
    """The contract's own example, with the indentation that its page has lost."""
    text = (FIXTURES / "pm.stage_epics.md").read_bytes()
    assert findings(text, "skills/pm.stage_epics.md") == ()


def test_the_example_without_indentation_has_no_finding() -> None:
    """As the page shows it: a command in the midst of prose is read as one, too."""
    lines = (FIXTURES / "pm.stage_epics.md").read_text().split("\n")
    front = "\n".join(lines[:7])
    body = "\n".join(map(str.lstrip, lines[7:]))
    assert findings(f"{front}\n{body}", "skills/pm.stage_epics.md") == ()


def test_a_file_that_is_no_text_is_found() -> None:
    """At the first byte that is not UTF-8."""
    text = b"---\nskill_id: a\nvariety: coach\ndescription: d\n---\nCaf\xe9 gemba-ask\n"
    assert found(text) == [("GS005", 6)]


def test_a_file_that_is_too_large_is_found_and_nothing_else() -> None:
    """It is not read, so nothing more is known of it."""
    assert found(b"x" * (1 << 21)) == [("GS009", 1)]


def test_a_long_description_is_found() -> None:
    """1,024 characters are allowed, one more is not."""
    text = "---\nname: tidy\ndescription: {}\n---\nBody\n"
    assert rules(text.format("d" * 1024), STANDARD) == set()
    assert found(text.format("d" * 1025), STANDARD) == [("GS205", 3)]


def test_a_long_body_is_told_as_a_note() -> None:
    """The standard only recommends fewer lines."""
    text = "---\nname: tidy\ndescription: d\n---\n" + "line\n" * 501
    (finding,) = findings(text, STANDARD)
    assert (finding.rule, finding.severity) == ("GS209", "note")
    assert findings(text.replace("line\n", "", 1), STANDARD) == ()
