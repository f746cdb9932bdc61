"""Findings for programs."""

import json

import pytest

from gemba_core.skills.lint import RULES
from gemba_core.skills.lint.formats import annotations, plain, sarif
from tests.skills.lint.written import coach, findings

FOUND = findings(coach('Use `gemba-ask --kind="blocker"`, 100 %.\n'), "skills/a b,c.md")


def test_plain_findings_have_all_that_is_known() -> None:
    """With ends behind the last character."""
    assert plain(FOUND) == [
        {
            "path": "skills/a b,c.md",
            "line": 6,
            "column": 6,
            "end_line": 6,
            "end_column": 32,
            "rule": "GS105",
            "name": "coach-blocks",
            "severity": "error",
            "message": FOUND[0].fault.message,
            "fixable": False,
        }
    ]


def test_annotations_are_escaped() -> None:
    """GitHub takes commas, colons, percent signs and line ends for its own."""
    (line,) = annotations(findings(coach("gemba-ask\n").replace("coach", '"a%b\\n:c"'), "a,b:c.md"))
    assert line.startswith(
        "::error file=a%2Cb%3Ac.md,line=3,endLine=3,title=GS102 unknown-variety,"
    )
    assert "\n" not in line
    assert "'a%25b" in line


@pytest.mark.parametrize(("severity", "word"), [("warning", "warning"), ("note", "notice")])
def test_annotations_have_a_word_for_each_severity(severity: str, word: str) -> None:
    """GitHub's own."""
    text = "\ufeff" + coach("gemba-ask\n").replace("---\ng", "allowed-tools: Read\n---\ng")
    of_it = [one for one in findings(text) if one.severity == severity]
    assert [line.split()[0] for line in annotations(of_it)] == [f"::{word}"]


def test_sarif_has_the_shape_of_2_1_0() -> None:
    """Every required property, every index in range, lines and columns from 1."""
    made = json.loads(json.dumps(sarif(FOUND, RULES, "1.2.3")))
    assert made["version"] == "2.1.0"
    assert made["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = made["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("gemba skills lint", "1.2.3")
    assert run["columnKind"] == "unicodeCodePoints"
    for rule in driver["rules"]:
        assert rule["id"]
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    (result,) = run["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "GS105"
    assert result["level"] == "error"
    assert result["message"]["text"]
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "skills/a%20b%2Cc.md"
    assert place["region"] == {"startLine": 6, "startColumn": 6, "endLine": 6, "endColumn": 32}


def test_sarif_names_files_elsewhere_by_their_whole_path() -> None:
    """As a URI."""
    (finding,) = findings(coach("Use `gemba-ask --kind=blocker`\n"), "/x y/skills/z.md")
    run = sarif([finding], RULES, "1")["runs"][0]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "file:///x%20y/skills/z.md"
