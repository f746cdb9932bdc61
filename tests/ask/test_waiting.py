"""gemba-ask --wait: every way in which a wait ends has its own exit code and words."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ask.agent import QUESTION, SESSION, gemba_ask, waiting
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import answer, ask, cancel, delivery, frames, hook, payloads, reopen, shown


@pytest.mark.parametrize(
    ("kind", "value", "code", "printed"),
    [
        ("modify", "deep blue", 0, "deep blue\n"),
        ("modify", "one\r\ntwo \x1b[1m\n", 0, "one\ntwo [1m\n"),
        ("approve", None, 0, "yes\n"),
        ("approve", "yes, but", 0, "yes, but\n"),
        ("deny", None, 3, "no\n"),
        ("deny", "never", 3, "never\n"),
        ("defer", None, 5, ""),
        ("defer", "next week", 5, ""),
    ],
)
def test_a_decision_ends_the_wait(kind: str, value: str | None, code: int, printed: str) -> None:
    """The answer alone is on standard output; a deferral prints nothing there."""
    with waiting(*QUESTION) as waiter:
        answer(waiter.id, kind=kind, value=value)
        assert waiter.end()[:2] == (code, printed)


@pytest.mark.parametrize("reason", ["operator", "expired"])
def test_a_close_without_a_decision_is_exit_6(reason: str) -> None:
    """Canceled and expired are no answers, and standard error says which it was."""
    with waiting(*QUESTION) as waiter:
        cancel(waiter.id, reason=reason)
        code, out, err = waiter.end()
    assert (code, out) == (6, "")
    assert ("expired" if reason == "expired" else "canceled") in err


def test_a_silence_is_exit_4_and_can_be_taken_up_again() -> None:
    """The escalation stays open, its id is told, and --resume gets the late answer."""
    done = gemba_ask(*QUESTION, "--wait", "--timeout", "0.2s")
    item = frames("GembaAsk")[0]["event_id"]
    assert (done.returncode, done.stdout) == (4, "")
    assert f"gemba-ask --resume {item} --wait" in done.stderr
    assert shown(item).state == "open"
    with waiting("--resume", item) as waiter:
        assert waiter.id == item
        answer(item)
        assert waiter.end()[:2] == (0, "blue\n")


def test_an_answer_that_is_there_already_is_handed_over_at_once() -> None:
    """--resume needs no waiting then, and collects the receipt."""
    item = ask()
    answer(item)
    done = gemba_ask("--resume", item, "--wait")
    assert (done.returncode, done.stdout) == (0, "blue\n")
    assert delivery(item)[0] == "collected"


def test_an_alias_resumes_its_escalation() -> None:
    """The id of the second ask with a key is as good as the first."""
    item, alias = ask(key="k"), ask(key="k")
    answer(item)
    assert gemba_ask("--resume", alias, "--wait").stdout == "blue\n"


def test_an_escalation_of_another_session_is_not_resumed() -> None:
    """An agent fetches what it asked itself."""
    item = ask(session="other")
    answer(item)
    done = gemba_ask("--resume", item, "--wait")
    assert (done.returncode, done.stdout) == (2, "")


def test_the_claim_stands_before_the_print_and_the_receipt_after_it() -> None:
    """What the log says of a collected answer, in order."""
    with waiting(*QUESTION) as waiter:
        answer(waiter.id)
        waiter.end()
    assert [one["status"] for one in payloads("GembaDelivery")] == ["claimed", "collected"]


@pytest.mark.parametrize(
    ("settle", "expected"),
    [
        (
            lambda item: answer(item, value="pink"),
            {"state": "resolved", "kind": "modify", "value": "pink", "free_text": True},
        ),
        (
            lambda item: answer(item, value="blue"),
            {"state": "resolved", "kind": "modify", "value": "blue", "free_text": False},
        ),
        (
            lambda item: answer(item, kind="deny", value=None),
            {"state": "resolved", "kind": "deny", "value": "no"},
        ),
        (
            lambda item: answer(item, kind="defer", value=None),
            {"state": "deferred", "kind": "defer", "value": None, "free_text": False},
        ),
        (lambda item: cancel(item), {"state": "canceled", "kind": None, "value": None}),
    ],
)
def test_json_says_how_it_ended(
    settle: Callable[[str], object], expected: dict[str, object]
) -> None:
    """One object with the state, the kind and the value, and whether it is one of the options."""
    with waiting(*QUESTION, "--option", "blue", "--option", "green", "--json") as waiter:
        settle(waiter.id)
        told = json.loads(waiter.end()[1])
    assert told["id"] == waiter.id
    assert told | expected == told


def test_json_of_a_silence_is_an_open_escalation() -> None:
    """No value, state open."""
    told = json.loads(gemba_ask(*QUESTION, "--wait", "--timeout", "0.1s", "--json").stdout)
    assert (told["state"], told["value"], told["free_text"]) == ("open", None, False)


@pytest.mark.parametrize(("value", "is_free"), [("pink", True), ("green", False)])
def test_an_answer_outside_the_options_is_passed_on_and_marked(value: str, is_free: bool) -> None:
    """Standard output has the text alone; the mark is on standard error."""
    with waiting(*QUESTION, "--option", "blue=Deep blue", "--option", "green") as waiter:
        answer(waiter.id, value=value)
        code, out, err = waiter.end()
    assert (code, out) == (0, f"{value}\n")
    assert ("free text" in err) is is_free


def test_the_session_shows_as_prompting_while_it_waits_and_goes_on_after() -> None:
    """No further call of gemba-state is needed."""

    def status() -> str:
        done = run_cli("gemba", "sessions", "show", "s1", "--json")
        return str(json.loads(done.stdout)["status"])

    with waiting(*QUESTION) as waiter:
        assert status() == "prompting"
        answer(waiter.id)
        waiter.end()
    assert status() == "working"


def test_after_a_silence_the_session_goes_on_too() -> None:
    """A wait that ended leaves no session behind that seems to wait."""
    gemba_ask(*QUESTION, "--wait", "--timeout", "0.1s")
    assert [one["state"] for one in payloads("GembaState")] == ["prompting", "working"]


def test_a_wait_needs_no_index() -> None:
    """It folds its own log, and leaves no lock file behind."""
    with waiting(*QUESTION) as waiter:
        hook("GembaCancel", escalation_id=waiter.id, by="anna")
        assert waiter.end()[0] == 6
    home = Path(os.environ["GEMBA_HOME"])
    assert sorted(path.name for path in home.rglob("*")) == ["s1.jsonl", "sessions"]


def test_two_waits_for_two_questions_each_get_their_own_answer() -> None:
    """An answer is matched by its escalation, not by its session."""
    with waiting(*QUESTION) as first, waiting(*QUESTION) as second:
        answer(second.id, value="second")
        answer(first.id, value="first")
        assert first.end()[:2] == (0, "first\n")
        assert second.end()[:2] == (0, "second\n")


def test_a_second_wait_for_the_same_question_is_refused() -> None:
    """Only one of them could have the answer; the first goes on waiting."""
    with waiting(*QUESTION) as waiter:
        done = gemba_ask("--resume", waiter.id, "--wait")
        assert (done.returncode, done.stdout) == (1, "")
        assert "another gemba-ask waits" in done.stderr
        answer(waiter.id)
        assert waiter.end()[:2] == (0, "blue\n")


def test_a_reopened_question_is_waited_for_again() -> None:
    """Its old answer no longer counts."""
    item = ask()
    answer(item, value="old")
    reopen(item)
    with waiting("--resume", item) as waiter:
        answer(item, value="new")
        assert waiter.end()[:2] == (0, "new\n")


def test_the_configured_timeout_is_the_default() -> None:
    """`wait_timeout` of the operator's configuration, where --timeout is not given."""
    home = Path(os.environ["GEMBA_HOME"])
    home.mkdir()
    (home / "config.toml").write_text('[ask]\nwait_timeout = "0.3s"\n')
    done = gemba_ask(*QUESTION, "--wait")
    assert done.returncode == 4
    assert "up to 0.3 s" in done.stderr


def test_a_wrong_configured_timeout_is_named_and_not_taken() -> None:
    """The client's own default goes on."""
    home = Path(os.environ["GEMBA_HOME"])
    home.mkdir()
    (home / "config.toml").write_text('[ask]\nwait_timeout = "soon"\n')
    with waiting(*QUESTION) as waiter:
        answer(waiter.id)
        code, _, err = waiter.end()
    assert code == 0
    assert "'soon'" in err
    assert "up to 110 s" in err


@pytest.mark.parametrize(
    ("agent", "advice"),
    [
        ({"GEMBA_AGENT_TYPE": "codex"}, "yield_time_ms"),
        ({"GEMBA_AGENT_TYPE": "claude"}, "Bash tool"),
        ({"CLAUDECODE": "1"}, "Bash tool"),
        ({}, "--timeout"),
    ],
)
def test_a_wait_begins_with_advice_for_the_client(agent: dict[str, str], advice: str) -> None:
    """Each client ends or hands back a long command in its own way."""
    done = gemba_ask(*QUESTION, "--wait", "--timeout", "0.1s", env=agent)
    assert advice in done.stderr


def test_a_wait_with_standard_output_closed_is_refused() -> None:
    """Nobody could read the answer, so nothing is asked."""
    script = f'exec "{SCRIPTS / "gemba-ask"}" "$@" --wait >&-'
    command = ["bash", "-c", script, "-", *QUESTION]
    done = subprocess.run(command, env=environment(SESSION), capture_output=True, text=True)
    assert done.returncode == 2
    assert "standard output" in done.stderr
    assert frames() == []
