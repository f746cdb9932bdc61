"""`$name` on the operator's side: `gemba skills expand`, and the diagnosis of an answer."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.inbox.scene import ask, resolution
from tests.operator.desk import escalations, gemba
from tests.skills.mentions.library import write


@pytest.fixture(autouse=True)
def in_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two skills."""
    write(tmp_path, "test-driven", body="Write the test first.", aliases=["tdd"], tools=["Read"])
    write(tmp_path, "calm")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def expand(text: str | bytes, *args: str) -> CompletedProcess[str]:
    """`gemba skills expand` of that text."""
    return gemba("skills", "expand", *args, input=text)


def test_a_text_is_expanded_to_the_skill_that_it_mentions() -> None:
    """What an agent would be told."""
    done = expand("Please use $tdd here.\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "Using skill: test-driven\n$tdd is an alias of test-driven.\n\nWrite the test first.\n"
    )


def test_for_programs_everything_is_told(in_workspace: Path) -> None:
    """Where each mention stands, what leads, and what is asked for."""
    done = expand("Now:\n  $tdd fix it, $nope\n", "--json")
    assert json.loads(done.stdout) == {
        "skill": "test-driven",
        "path": str(in_workspace / ".gemba" / "skills" / "test-driven.md"),
        "tools": ["Read"],
        "task": "fix it, $nope",
        "body": "Write the test first.\n",
        "said": [
            "Using skill: test-driven",
            "$tdd is an alias of test-driven.",
            "No skill named 'nope'. Run gemba skills list to see available skills.",
        ],
        "diagnoses": [
            {
                "code": "unknown",
                "message": "No skill named 'nope'. Run gemba skills list to see available skills.",
            }
        ],
        "mentions": [
            {"name": "tdd", "start": 7, "end": 11, "line": 2, "column": 3},
            {"name": "nope", "start": 20, "end": 25, "line": 2, "column": 16},
        ],
    }


@pytest.mark.parametrize("text", ["", "nothing", "`$tdd`", b"\xff\xfe"])
def test_a_text_without_a_mention_is_expanded_to_nothing(text: str | bytes) -> None:
    """That is no failure."""
    done = expand(text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_mentions_that_lead_to_no_skill_are_diagnosed() -> None:
    """On standard error, with an exit code of its own."""
    done = expand("$tdd and $calm, $nope")
    assert (done.returncode, done.stdout) == (4, "")
    assert "Choose one skill to lead this turn: $test-driven or $calm." in done.stderr
    assert "No skill named 'nope'." in done.stderr


def test_a_skill_that_is_switched_off_says_how_to_switch_it_on() -> None:
    """And the command that it names does so."""
    assert gemba("skills", "disable", "calm").returncode == 0
    said = expand("$calm").stderr
    assert "Skill 'calm' is disabled. Enable it with gemba skills enable calm." in said
    assert gemba("skills", "enable", "calm").returncode == 0
    assert expand("$calm").returncode == 0


def test_a_text_that_is_too_long_is_refused() -> None:
    """More than 1 MiB."""
    done = expand("x" * ((1 << 20) + 1))
    assert done.returncode == 2
    assert "1 MiB" in done.stderr


@pytest.mark.parametrize("text", ["Use $nope, then $5.", "$tdd $calm"])
def test_an_answer_with_a_diagnosis_is_delivered_unchanged(text: str) -> None:
    """The person is told on standard error."""
    id = ask()
    done = escalations("respond", id, text)
    assert done.returncode == 0
    said = "No skill named 'nope'" if "nope" in text else "Choose one skill"
    assert said in done.stderr
    assert resolution(id).value == text


@pytest.mark.parametrize("text", ["blue", "it costs $5", "Use $tdd."])
def test_an_answer_that_needs_no_diagnosis_has_none(text: str) -> None:
    """A skill that leads is the agent's to announce."""
    done = escalations("respond", ask(), text)
    assert (done.returncode, done.stderr) == (0, "")
