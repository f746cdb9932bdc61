"""An answer that mentions a skill, waited for: the guidance follows it."""

import json
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.skills import lead
from tests.ask.agent import QUESTION, waiting
from tests.inbox.scene import answer, delivery, hook, payloads
from tests.skills.mentions.library import write


@pytest.fixture(autouse=True)
def in_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The agent works in a folder with a skill that narrows its tools."""
    write(tmp_path, "tdd", body="Write the test first.", tools=["Read"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_guidance_follows_the_answer() -> None:
    """The answer alone comes first, as it was given."""
    with waiting(*QUESTION) as waiter:
        answer(waiter.id, value="Use $tdd, please")
        code, out, _ = waiter.end()
    assert code == 0
    assert out == "Use $tdd, please\n\n---\nUsing skill: tdd\n\nWrite the test first.\n"
    assert delivery(waiter.id) == ("collected", "")


def test_for_programs_it_has_a_field_of_its_own() -> None:
    """The value is the answer alone."""
    with waiting(*QUESTION, "--json") as waiter:
        answer(waiter.id, value="Use $tdd, please")
        found = json.loads(waiter.end()[1])
    assert found["value"] == "Use $tdd, please"
    assert found["guidance"] == "Using skill: tdd\n\nWrite the test first.\n"


@pytest.mark.parametrize("text", ["blue", "$5", "`$tdd`", "$nope", "look at $PATH"])
def test_an_answer_that_leads_to_no_skill_is_printed_alone(text: str) -> None:
    """The person was told why."""
    with waiting(*QUESTION) as waiter:
        answer(waiter.id, value=text)
        assert waiter.end()[1] == f"{text}\n"
    assert payloads("GembaSkill") == []


def test_the_skill_leads_the_rest_of_the_turn() -> None:
    """On the record, and for the agent's own tools."""
    hook("SessionStart", session_id="c1", source="startup")
    with waiting(*QUESTION) as waiter:
        answer(waiter.id, value="Use $tdd, please")
        waiter.end()
    assert [(one["skill"], one["client"]) for one in payloads("GembaSkill")] == [("tdd", "c1")]
    assert lead.current("s1", "c1") == lead.Lead("tdd", ("Read",), ("Using skill: tdd",))


def test_without_hooks_nothing_is_narrowed() -> None:
    """Nothing would refuse a call, or end the limit."""
    with waiting(*QUESTION) as waiter:
        answer(waiter.id, value="Use $tdd, please")
        waiter.end()
    assert not Path(home.leads_dir("s1")).exists()


def test_a_skill_that_cannot_be_read_loses_no_answer(in_workspace: Path) -> None:
    """It is printed alone."""
    path = in_workspace / ".gemba" / "skills" / "tdd.md"
    path.unlink()
    path.mkdir()
    with waiting(*QUESTION) as waiter:
        answer(waiter.id, value="Use $tdd, please")
        code, out, _ = waiter.end()
    assert (code, out) == (0, "Use $tdd, please\n")
