"""Front matter, line ends and encodings."""

from pathlib import Path

import pytest

from tests.skills.lint.written import STANDARD, coach, findings, found, standard

ASK = "Ask with `gemba-ask`.\n"


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("description: Tidies: all", [("GS001", 2)]),
        ("- a list", [("GS001", 2)]),
        ("name: tidy\nname: tidy\ndescription: d", [("GS003", 3)]),
        ("name: tidy\ndescription: !!binary ZA==", [("GS004", 3)]),
        ("name: tidy\ndescription: d\nlicense: no", [("GS008", 4)]),
        ("name: tidy\ndescription: 1.10", [("GS008", 3)]),
        ("name: tidy\ndescription: [a, b]", [("GS008", 3)]),
    ],
)
def test_a_fault_of_the_front_matter_is_found_at_its_line(
    front: str, expected: list[tuple[str, int]]
) -> None:
    """And nothing that follows from it."""
    assert found(f"---\n{front}\n---\nBody\n", STANDARD) == expected


def test_front_matter_without_an_end_is_found() -> None:
    """At the top, once."""
    assert found("---\nname: tidy\n", STANDARD) == [("GS002", 1)]


def test_a_byte_order_mark_shifts_no_column() -> None:
    """It is told, and whatever else is found stands where an editor shows it."""
    text = "\ufeff" + standard("name: tidy", "description: no")
    first, second = findings(text, STANDARD)
    assert (first.rule, second.rule) == ("GS006", "GS008")
    assert (second.fault.at.line, second.fault.at.column, second.fault.end.column) == (3, 14, 16)


def test_carriage_returns_are_told_once() -> None:
    """At the first line that ends with one."""
    text = coach(ASK).replace("\n", "\r\n").replace("\r\n", "\n", 1)
    assert found(text.encode()) == [("GS007", 2)]


def test_calls_behind_carriage_returns_are_read() -> None:
    """As an editor would show them."""
    body = "    gemba-ask \\\n      --kind blocker --role coach --text x\n"
    text = coach(body).replace("\n", "\r\n")
    assert ("GS105", 6) in found(text.encode())


@pytest.mark.parametrize("name", ["tidy", "tidy-up-2", "a", "a" * 64, "büro", "整理"])
def test_a_name_of_the_standard_is_fine(name: str) -> None:
    """Letters may be of any script."""
    assert found(standard(f"name: {name}", "description: d"), f"{name}/SKILL.md") == []


@pytest.mark.parametrize("name", ["Tidy", "tidy_up", "-tidy", "tidy-", "ti--dy", "ti dy", "a" * 65])
def test_a_bad_name_is_found(name: str) -> None:
    """At its line."""
    text = standard("description: d", f"name: {name}")
    assert found(text, f"{name}/SKILL.md") == [("GS202", 3)]


@pytest.mark.parametrize(
    "field",
    [
        "license: MIT",
        "compatibility: Needs git",
        'metadata: {author: team, version: "1"}',
        "metadata:\n  short-description: Tidies",
        "allowed-tools: Bash(git:*) Read",
        "allowed-tools: [Read, Grep]",
        "allowed-tools:",
        "when_to_use: when files lie about",
        "argument-hint: '[file]'",
        "disable-model-invocation: true",
        "user-invocable: false",
        "disallowed-tools: Bash",
        "model: opus",
        "effort: high",
        "context: fork",
        "agent: Explore",
        "hooks: {Stop: []}",
        "paths: ['*.py']",
        "shell: bash",
        "version: 1.0.0",
        "some-clients-own: thing",
    ],
)
def test_what_the_standard_and_its_clients_allow_is_fine(field: str) -> None:
    """Keys of clients, too."""
    assert found(standard("name: tidy", "description: d", field), STANDARD) == []


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("compatibility: ''", "GS206"),
        (f"compatibility: {'c' * 501}", "GS206"),
        ("metadata: [a]", "GS207"),
        ("metadata: {version: 1.0}", "GS207"),
        ("allowed-tools: {Read: true}", "GS208"),
        ("allowed-tools: [1]", "GS208"),
        ("allowed_tools: Read", "GS212"),
        ("Compatibility: git", "GS212"),
    ],
)
def test_a_wrong_field_is_found(field: str, rule: str) -> None:
    """At its line."""
    assert found(standard("name: tidy", "description: d", field), STANDARD) == [(rule, 4)]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (["tools: [claude, cursor]"], [("GS214", 4)]),
        (["tools: [Read]", "narrow-tools: true"], []),
        (["tools: [claude]", "narrow-tools: false"], []),
    ],
)
def test_tools_of_another_program_are_told(fields: list[str], told: list[tuple[str, int]]) -> None:
    """A note, unless it is said what they mean."""
    assert found(standard("name: tidy", "description: d", *fields), STANDARD) == told


def test_a_slip_in_a_key_is_found_in_a_file_of_either_form() -> None:
    """Beside what is missing for it."""
    text = coach(ASK).replace("description", "descripton")
    assert found(text) == [("GS104", 1), ("GS212", 4)]


def test_links_are_looked_up_beside_the_file(tmp_path: Path) -> None:
    """Those that are relative; with their query and fragment taken off."""
    folder = tmp_path / "tidy"
    (folder / "references").mkdir(parents=True)
    (folder / "references" / "a b.md").touch()
    body = (
        "[1](references/a%20b.md#top) [2](<references/a b.md>) [3](https://example.com/x.md)\n"
        "[4](#top) [5](/etc/none) [6](mailto:a@example.com) [7](references/<topic>.md)\n"
        "`[8](none.md)` [9](references)\n\n    [10](none.md)\n\n- [11](none.md)\n"
    )
    text = standard("name: tidy", "description: d", body=body)
    assert found(text, str(folder / "SKILL.md")) == [("GS211", 11)]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("allowed-tools: Read", True),
        ("allowed-tools: Read\nnarrow-tools: true", False),
        ("allowed-tools: Read\nnarrow-tools: false", False),
        ("allowed-tools: Read\ntools: Read", False),
        ("tools: Read", False),
    ],
)
def test_tools_that_are_merely_pre_approved_are_told(fields: str, told: bool) -> None:
    """As a note, in Gemba's own skills."""
    text = coach(ASK).replace("---\nAsk", f"{fields}\n---\nAsk")
    assert [(one.rule, one.severity) for one in findings(text)] == [("GS213", "note")] * told
