"""What an agent is given: filled where it is composed, and only where an identifier is meant."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.workflow.context import fill, names
from tests.workflow.project import Project, orders, spawn

_texts = st.text(st.sampled_from("{}ab_1 -.$\n"), max_size=40)
_data = st.dictionaries(st.sampled_from(["a", "b", "ab", "_1"]), _texts | st.integers())


@given(_texts, _data)
def test_filling_leaves_nothing_to_fill_but_the_missing(text: str, data: dict[str, object]) -> None:
    """Every name that the data has is gone, and what stands around the names is untouched."""
    marks = {name: f"<{name}>" for name in data}
    filled = fill(text, marks)
    assert set(names(filled)) == set(names(text)) - set(data)
    for name, mark in marks.items():
        filled = filled.replace(mark, f"{{{{{name}}}}}")
    assert filled == text


@given(_texts, _data)
def test_what_is_filled_in_is_not_filled_again(text: str, data: dict[str, object]) -> None:
    """A value that looks like a name stands as it is."""
    if re.search(r"\{\{\w+\}\}", text) is None:
        assert fill(text, data) == text
    assert fill("{{x}}", {"x": text, **data}) == text


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{a}}", "1"),
        ("{{ a }}", "{{ a }}"),
        ("{{a.b}} {{a-b}} {{1a}} {{}} {a}", "{{a.b}} {{a-b}} {{1a}} {{}} {a}"),
        ("{{{a}}}", "{1}"),
        ("{{list}} {{text}}", '["é"] as it is'),
        ("{{unknown}}", "{{unknown}}"),
    ],
)
def test_only_an_identifier_between_double_braces_counts(text: str, filled: str) -> None:
    """A text goes in as it is, anything else as JSON."""
    assert fill(text, {"a": 1, "list": ["é"], "text": "as it is"}) == filled


def test_what_a_phase_has_written_is_not_filled(project: Project) -> None:
    """It is somebody's text, not an instruction of the skill's."""
    order = spawn(
        "b.md", context_files=["skills/probe/phases/A.md", "ws/a.md"], context_data={"x": "filled"}
    )
    project.skill(orders(order), {"A.md": "Phase: {{x}}"})
    (project.root / "ws").mkdir()
    (project.root / "ws" / "a.md").write_text("Data: {{x}}\n```\nfenced\n```\n")
    assert project.run().returncode == 0
    prompt = (project.root / "ws/.workflow/actions/1.1/prompt.md").read_text()
    assert "Phase: filled" in prompt
    assert "````md\nData: {{x}}\n```\nfenced\n```\n````" in prompt


def test_the_agent_is_told_how_to_end(project: Project) -> None:
    """Where its result goes, and what respond_to_leader means here."""
    project.skill(orders(spawn("a.md")))
    project.run()
    prompt = (project.root / "ws/.workflow/actions/1.1/prompt.md").read_text()
    assert "becomes `a.md` in the workspace `ws`" in prompt
    assert "gemba workflow respond success" in prompt
