"""gemba-ask --deadline and --on-expiry: a declared fallback, never shown as a person's answer."""

import json
from datetime import UTC, datetime

import pytest

from tests.ask.agent import QUESTION, gemba_ask, waiting
from tests.inbox.scene import answer, log_bytes, payloads, reopen, resolution, shown
from tests.operator.desk import told
from tests.waiting import wait_until

OPTIONS = ("--option", "blue=Blue", "--option", "green")


def asked(*args: str) -> str:
    """Ask without waiting; the escalation's id."""
    done = gemba_ask(*QUESTION, *args)
    assert done.returncode == 0, done.stderr
    return done.stdout.partition("\n")[0]


def test_the_deadline_and_what_then_are_on_the_record() -> None:
    """As a moment in UTC; without a word about it the question stays open."""
    item = asked("--deadline", "2h", "--on-expiry", "cancel")
    deadline = shown(item).deadline
    assert deadline is not None
    left = datetime.fromisoformat(deadline) - datetime.now(UTC)
    assert 7_100 < left.total_seconds() <= 7_200
    assert shown(item).on_expiry == "cancel"
    assert shown(asked("--deadline", "1h")).on_expiry == "wait"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--on-expiry", "cancel"), "goes with --deadline"),
        (("--deadline", "soon"), "--deadline 'soon'"),
        (("--deadline", "-5m"), "--deadline"),
        (("--deadline", "366d"), "up to 365d"),
        (("--deadline", "1e300d"), "up to 365d"),
        (("--deadline", "1h", "--on-expiry", "approve"), "wait, cancel or default=VALUE"),
        (("--deadline", "1h", "--on-expiry", "default="), "no value"),
        (("--deadline", "1h", "--on-expiry", "default= \n"), "no value"),
        (("--deadline", "1h", "--on-expiry", "default=red", *OPTIONS), "none of the options"),
    ],
)
def test_what_makes_no_sense_is_refused(args: tuple[str, ...], said: str) -> None:
    """Before anything is asked."""
    done = gemba_ask(*QUESTION, *args)
    assert done.returncode == 2
    assert said in done.stderr
    assert log_bytes() == b""


def test_a_resumed_wait_takes_no_new_deadline() -> None:
    """It was asked with what it was asked with."""
    item = asked()
    done = gemba_ask("--resume", item, "--wait", "--deadline", "1h")
    assert done.returncode == 2


def test_the_agent_is_told_beforehand() -> None:
    """Also where nothing will come."""
    done = gemba_ask(*QUESTION, "--deadline", "2h", "--on-expiry", "cancel")
    assert "it expires: no answer comes" in done.stdout
    done = gemba_ask(*QUESTION, "--deadline", "2h", "--on-expiry", "default=blue", "--json")
    assert "you get your default" in json.loads(done.stdout)["next"]


def test_a_waiter_applies_its_own_default_with_nothing_else_running() -> None:
    """Exit 7, words on standard error, and the value alone on standard output."""
    expiry = ("--deadline", "0.2s", "--on-expiry", "default=blue")
    done = gemba_ask(*QUESTION, *OPTIONS, *expiry, "--wait", "--timeout", "20")
    assert (done.returncode, done.stdout) == (7, "blue\n")
    assert "no person answered" in done.stderr
    [decided] = payloads("GembaResolve")
    assert (decided["via"], decided["resolved_by"], decided["value"]) == (
        "policy",
        "policy",
        "blue",
    )
    assert payloads("GembaDelivery")[-1]["status"] == "collected"


def test_a_default_by_policy_is_told_as_such_in_json() -> None:
    """Programs look at `via`."""
    expiry = ("--deadline", "0.2s", "--on-expiry", "default=blue")
    done = gemba_ask(*QUESTION, *expiry, "--wait", "--timeout", "20", "--json")
    said = json.loads(done.stdout)
    assert done.returncode == 7
    assert (said["via"], said["resolved_by"], said["value"]) == ("policy", "policy", "blue")


def test_a_waiter_lets_its_own_question_expire() -> None:
    """Exit 6 and the reason; nothing is printed that could be taken for an answer."""
    expiry = ("--deadline", "0.2s", "--on-expiry", "cancel")
    done = gemba_ask(*QUESTION, *expiry, "--wait", "--timeout", "20")
    assert (done.returncode, done.stdout) == (6, "")
    assert "expired, nobody answered by the deadline" in done.stderr
    assert payloads("GembaCancel")[0]["by"] == "policy"


def test_with_wait_as_its_fallback_it_stays_open() -> None:
    """The deadline is for people to see."""
    done = gemba_ask(*QUESTION, "--deadline", "0.1s", "--wait", "--timeout", "0.5")
    assert done.returncode == 4
    assert told("escalations", "list")[0]["state"] == "open"


def test_an_answer_before_the_deadline_is_a_persons() -> None:
    """The fallback is not needed."""
    args = ("--deadline", "1h", "--on-expiry", "default=blue", "--timeout", "20")
    with waiting(*QUESTION, *args) as waiter:
        answer(waiter.id, value="green")
        assert waiter.end()[:2] == (0, "green\n")
    assert resolution(waiter.id).via == "cli"


def test_a_default_that_is_fetched_later_says_whose_word_it_is() -> None:
    """By the same exit code."""
    item = asked("--deadline", "0.05s", "--on-expiry", "default=blue")
    wait_until(lambda: told("tick")["defaulted"], what="the deadline")
    assert resolution(item).value == "blue"
    done = gemba_ask("--resume", item, "--wait")
    assert (done.returncode, done.stdout) == (7, "blue\n")


def test_a_reopened_question_is_not_taken_from_the_person_again() -> None:
    """A waiter that takes it up waits for them."""
    item = asked("--deadline", "0.05s", "--on-expiry", "cancel")
    wait_until(lambda: told("tick")["expired"], what="the deadline")
    reopen(item)
    with waiting("--resume", item, "--timeout", "20") as waiter:
        answer(item, value="late but welcome")
        assert waiter.end()[:2] == (0, "late but welcome\n")
