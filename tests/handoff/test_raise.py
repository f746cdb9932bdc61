"""From an agent's contract to the inbox, and from the operator's answer to what is done next."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from tests.commands import SCRIPTS, environment, run_cli
from tests.handoff.contracts import AGENT, GRANT, OTHER, REQUEST, fields, message, sound
from tests.handoff.desk import SESSION, handoff, operator, raised, told
from tests.inbox.scene import answer, ask, hook, payloads, shown
from tests.waiting import wait_until

CONSENT = sound("APPROVAL_REQUEST", approval_request={**REQUEST, "approval_id": GRANT})


@contextmanager
def waiting(*args: str, input: str = "") -> Iterator["subprocess.Popen[str]"]:
    """`gemba handoff …` in the background, once it waits; gone after."""
    with subprocess.Popen(
        [str(SCRIPTS / "gemba"), "handoff", *args],
        env=environment(SESSION),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(input)
            process.stdin.close()
            process.stdin = None
            wait_until(lambda: payloads("GembaState"), what="the wait to begin")
            yield process
        finally:
            process.kill()


def test_a_sub_agents_question_is_answered_through_the_inbox() -> None:
    """It stands there with its choices; the operator picks one; the resume text holds it."""
    one = raised(sound("NEEDS_INPUT"))
    item = shown(one)
    assert (item.source, item.role, item.urgency) == ("question", "manager", "advisory")
    assert [option["value"] for option in item.options] == ["sqlite", "postgres"]
    operator("respond", one, "postgres")
    done = handoff("next", one)
    assert done.returncode == 0
    first, _, text = done.stdout.partition("\n")
    assert first == f"Resume the same agent, {AGENT}, with:"
    assert text.startswith("The operator's answer: postgres\n")


def test_raise_can_wait_for_the_answer() -> None:
    """It prints the decision, then what to do next, a line each."""
    with waiting(
        "raise", "--wait", "--timeout", "20s", "--json", input=message(CONSENT)
    ) as process:
        [one] = [frame["note"].split()[-1] for frame in payloads("GembaState")]
        assert shown(one).urgency == "blocking"
        operator("approve", one)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    decision, answer = map(json.loads, out.splitlines())
    assert [raised["id"] for raised in decision["raised"]] == [one]
    assert (answer["id"], answer["ended"], answer["kind"]) == (one, "answered", "approve")
    assert answer["next"]["action"] == "run"
    assert answer["next"]["approval"] == {**REQUEST, "approval_id": GRANT}
    delivery = shown(one).delivery
    assert delivery is not None
    assert delivery.status == "collected"


def test_several_answers_are_waited_for_together() -> None:
    """Each is printed with what follows from it."""
    given = sound("BLOCKED", memory_suggestions=["Use uv"])
    with waiting("raise", "--wait", "--timeout", "20s", "--json", input=message(given)) as process:
        wait_until(lambda: len(payloads("GembaEscalate")) == 2, what="both questions")
        items = json.loads(operator("list", "--json").stdout)
        by_source = {item["source"]: item["id"] for item in items}
        answer(by_source["question"], kind="approve", value=None)
        answer(by_source["blocker"], value="Use staging.")
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    follows = [json.loads(line)["next"] for line in out.splitlines()[1:]]
    assert [one["action"] for one in follows] == ["dispatch", "persist"]
    assert follows[1]["entry"] == "Use uv"


def test_no_answer_in_time_is_exit_4_and_no_answer() -> None:
    """It stays open, and can be waited for again."""
    done = handoff("raise", "--wait", "--timeout", "0.1", "--json", input=message(CONSENT))
    assert done.returncode == 4
    answer = json.loads(done.stdout.splitlines()[-1])
    assert (answer["ended"], answer["next"]) == ("unanswered", None)
    assert f"gemba handoff next {answer['id']} --wait" in done.stderr
    assert shown(answer["id"]).state == "open"


@pytest.mark.parametrize(
    ("verb", "code", "ended"), [("defer", 5, "deferred"), ("cancel", 6, "canceled")]
)
def test_what_is_no_answer_has_an_exit_code_of_its_own(verb: str, code: int, ended: str) -> None:
    """Nothing follows from it."""
    one = raised(CONSENT)
    operator(verb, one)
    found = told("next", one, code=code)
    assert (found["ended"], found["next"]) == (ended, None)


def test_next_says_that_it_was_told_before() -> None:
    """So that nothing is run twice by it."""
    one = raised(CONSENT)
    operator("approve", one)
    assert told("next", one)["taken_before"] is False
    again = handoff("next", one, "--json")
    assert json.loads(again.stdout)["taken_before"] is True
    assert "act on it only once" in again.stderr


def test_an_answer_from_the_pane_is_not_said_to_be_fetched_before() -> None:
    """The agent had it there; what follows from it is told all the same."""
    one = raised(sound("NEEDS_INPUT"))
    answer(one, value="sqlite")
    hook("UserPromptSubmit", prompt="sqlite", session_id="c1")
    done = handoff("next", one)
    assert done.stdout.startswith(f"Resume the same agent, {AGENT}")
    assert "here or in your pane" in done.stderr


def test_gemba_ask_does_not_take_a_hand_offs_answer() -> None:
    """It would print a bare yes, and what follows from it would be lost."""
    one = raised(CONSENT)
    operator("approve", one)
    done = run_cli("gemba-ask", "--resume", one, "--wait", env=SESSION)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"gemba handoff next {one}" in done.stderr
    found = told("next", one)
    assert (found["next"]["action"], found["taken_before"]) == ("run", False)


def test_the_operator_is_told_how_the_answer_is_fetched() -> None:
    """Where no pane takes it, the orchestrator asks what follows."""
    one = raised(CONSENT)
    assert f"gemba handoff next {one}" in operator("approve", one).stdout


def test_a_denied_approval_cancels() -> None:
    """That is a decision: exit 0, and nobody is resumed."""
    one = raised(sound("APPROVAL_REQUEST"))
    operator("deny", one)
    assert told("next", one)["next"]["action"] == "cancel"
    assert "resume nobody" in handoff("next", one).stdout


def test_next_waits() -> None:
    """For what was raised before."""
    one = raised(sound("BLOCKED"))
    with waiting("next", one, "--wait", "--timeout", "20s") as process:
        operator("respond", one, "accept")
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "Close the task as incomplete.\n"), err


def test_what_was_not_raised_here_has_no_next() -> None:
    """Another id, or another's question."""
    done = handoff("next", "0" * 16)
    assert (done.returncode, "no such escalation" in done.stderr) == (2, True)
    done = handoff("next", ask())
    assert (done.returncode, "was not raised by" in done.stderr) == (2, True)


def test_the_same_decision_is_not_open_twice() -> None:
    """Raised again it is the same escalation; answered, it may be asked anew."""
    one = raised(sound("NEEDS_INPUT"))
    [again] = told("raise", input=message(sound("NEEDS_INPUT")))["raised"]
    assert (again["id"], again["asked_again"]) == (one, True)
    assert shown(one).asked_count == 2
    assert raised(sound("NEEDS_INPUT", agent=OTHER)) != one
    operator("respond", one, "sqlite")
    assert raised(sound("NEEDS_INPUT")) != one


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_suggestion_is_asked_about_once(answer: str) -> None:
    """What the operator has said about it stands."""
    given = message(sound("COMPLETE", memory_suggestions=["Use uv"]))
    [one] = told("raise", input=given)["raised"]
    assert one["purpose"] == "memory"
    operator("respond", one["id"], answer)
    assert told("raise", input=given)["raised"] == []
    action = {"yes": "persist", "no": "discard"}[answer]
    assert told("next", one["id"])["next"]["action"] == action


@pytest.mark.parametrize(("verb", "code"), [("defer", 5), ("cancel", 6)])
def test_a_suggestion_that_was_put_aside_is_asked_about_again(verb: str, code: int) -> None:
    """It is neither a yes nor a no."""
    given = message(sound("COMPLETE", memory_suggestions=["Use uv"]))
    [one] = told("raise", input=given)["raised"]
    operator(verb, one["id"])
    assert told("next", one["id"], code=code)["next"] is None
    [again] = told("raise", input=given)["raised"]
    assert again["id"] != one["id"]


def test_what_was_raised_before_another_failed_is_told(tmp_path: Path) -> None:
    """It is open; nothing is counted, so that the next try asks the same."""
    history = tmp_path / "history.json"
    suggestion = sound("COMPLETE", memory_suggestions=["Use uv"])
    both = message(sound("BLOCKED", memory_suggestions=["Use uv"]))
    options = ("raise", "--wait", "--timeout", "20s")
    with waiting(*options, input=message(suggestion)):
        done = handoff(*options, "--json", "--history", history, input=both)
        assert (done.returncode, "waits for it already" in done.stderr) == (1, True)
    [one] = json.loads(done.stdout)["raised"]
    assert (one["purpose"], shown(one["id"]).state) == ("blocker", "open")
    assert not history.exists()


@pytest.mark.parametrize("status", ["COMPLETE", "IN_PROGRESS", "NEEDS_VERIFICATION"])
def test_where_no_person_is_needed_nothing_is_raised(status: str) -> None:
    """The decision is told all the same."""
    done = handoff("raise", input=message(sound(status)))
    assert done.returncode == 0
    assert "Nothing to ask the operator" in done.stdout
    assert payloads("GembaEscalate") == []


@pytest.mark.parametrize("wait", [(), ("--wait",)])
def test_in_dangerous_mode_nothing_is_raised(wait: tuple[str, ...]) -> None:
    """An exit code of its own says so, and no answer is made up."""
    env = {"GEMBA_INTERACTION_MODE": "dangerous"}
    found = told("raise", *wait, code=3, env=env, input=message(CONSENT))
    assert found["raised"] == []
    assert found["decision"]["steps"][0]["action"] == "approve"
    assert payloads("GembaEscalate") == []
    done = handoff("raise", *wait, env=env, input=message(CONSENT))
    assert "nothing was raised" in done.stderr
    assert "Ask the operator" not in done.stdout
    assert "Nothing was raised." in done.stdout
    assert handoff("raise", env=env, input=message(sound("COMPLETE"))).returncode == 0


@pytest.mark.parametrize(
    ("mode", "status", "urgency"),
    [
        ("balanced", "NEEDS_INPUT", "advisory"),
        ("balanced", "BLOCKED", "blocking"),
        ("balanced", "APPROVAL_REQUEST", "blocking"),
        ("cautious", "NEEDS_INPUT", "blocking"),
    ],
)
def test_the_mode_says_how_urgent_it_is(mode: str, status: str, urgency: str) -> None:
    """By the one matrix."""
    env = {"GEMBA_INTERACTION_MODE": mode}
    [one] = told("raise", env=env, input=message(sound(status)))["raised"]
    assert one["urgency"] == shown(one["id"]).urgency == urgency


def test_a_stall_is_raised_and_counts_anew(tmp_path: Path) -> None:
    """As `decide` does, with the same history."""
    history, given = str(tmp_path / "history.json"), message(sound("IN_PROGRESS"))
    for _ in range(2):
        assert told("raise", "--history", history, input=given)["raised"] == []
    one = raised(sound("IN_PROGRESS"), "--history", history)
    assert shown(one).source == "orchestrator_pause"
    operator("respond", one, "again")
    assert told("next", one)["next"]["agent_id"] == AGENT
    assert told("decide", "--history", history, input=given)["steps"][0]["action"] == "resume"


def test_raise_takes_up_what_decide_has_just_decided(tmp_path: Path) -> None:
    """The round counts once; the next one, with the same words, counts again."""
    history, given = str(tmp_path / "history.json"), message(sound("IN_PROGRESS"))
    for expected in (0, 0, 1):
        decided = told("decide", "--history", history, input=given)
        found = told("raise", "--history", history, input=given)
        assert found["decision"] == decided
        assert len(found["raised"]) == expected


@pytest.mark.parametrize("given", [sound("IN_PROGRESS"), fields("DONE")], ids=["stall", "repair"])
def test_a_pause_stands_until_it_is_answered(tmp_path: Path, given: dict[str, Any]) -> None:
    """The same message raised again asks the same; its agent is not sent back meanwhile."""
    history = str(tmp_path / "history.json")
    rounds = [told("raise", "--history", history, input=message(given)) for _ in range(5)]
    assert [len(one["raised"]) for one in rounds] == [0, 0, 1, 1, 1]
    [first], [again], _ = (one["raised"] for one in rounds[2:])
    assert (again["id"], again["asked_again"]) == (first["id"], True)
    operator("defer", first["id"])
    [later] = told("raise", "--history", history, input=message(given))["raised"]
    operator("respond", later["id"], "again")
    assert told("raise", "--history", history, input=message(given))["raised"] == []


@pytest.mark.parametrize("agent", [AGENT, OTHER])
def test_what_decide_has_counted_is_not_counted_by_a_later_raise(
    tmp_path: Path, agent: str
) -> None:
    """Also where another message, of the same agent or of another, was decided about since."""
    history = tmp_path / "history.json"
    one = message(sound("IN_PROGRESS"))
    decided = told("decide", "--history", history, input=one)
    told("decide", "--history", history, input=message(sound("IN_PROGRESS", agent=agent, note=2)))
    before = json.loads(history.read_bytes())["agents"]
    assert told("raise", "--history", history, input=one)["decision"] == decided
    assert json.loads(history.read_bytes())["agents"] == before


def test_what_could_not_be_raised_is_not_counted(tmp_path: Path) -> None:
    """The next try asks, rather than sending the agent back again."""
    history, given = str(tmp_path / "history.json"), message(sound("IN_PROGRESS"))
    for _ in range(2):
        told("raise", "--history", history, input=given)
    blocked = Path(home.log_path("s1"))
    blocked.mkdir(parents=True)
    assert handoff("raise", "--history", history, input=given).returncode == 1
    blocked.rmdir()
    assert raised(sound("IN_PROGRESS"), "--history", history)


def test_the_answer_goes_to_the_orchestrators_own_pane() -> None:
    """Where it has one."""
    raised_in = {"TMUX": "/tmp/no-such-socket,1,0", "TMUX_PANE": "%7"}
    told("raise", env=raised_in, input=message(sound("BLOCKED")))
    [payload] = payloads("GembaEscalate")
    assert payload["reply_to"]["tmux_pane"] == "%7"


def test_approvals_are_not_approved_in_bulk() -> None:
    """Each is looked at by itself; all of them may be denied at once."""
    ids = [raised(sound("APPROVAL_REQUEST", agent=agent)) for agent in (AGENT, OTHER)]
    question = raised(sound("NEEDS_INPUT"))
    for together in (ids, [ids[0], question]):
        operator("approve", *together, code=2)
        operator("respond", together[0], "execute", "--also", together[1], code=2)
    assert {shown(one).state for one in (*ids, question)} == {"open"}
    operator("deny", *ids)
    assert [told("next", one)["next"]["action"] for one in ids] == ["cancel", "cancel"]


def test_it_is_about_a_work_item() -> None:
    """Where one is named."""
    one = raised(sound("BLOCKED"), "--bead", "gm-7")
    assert shown(one).work_item_id == "gm-7"


def test_without_a_session_nothing_is_raised() -> None:
    """It says what to set, and counts nothing."""
    done = handoff("raise", env={"GEMBA_SESSION_ID": ""}, input=message(CONSENT))
    assert (done.returncode, "GEMBA_SESSION_ID" in done.stderr) == (2, True)
