"""An answer on its way to a real pane: when it is typed, when it is held, when it is given up."""

import os
import re
import signal
import subprocess

import pytest

from gemba_core.inbox.deliver import Report, deliver_all
from gemba_core.inbox.opened import use_index
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.conftest import QUESTION, SHELL, Agent, StartAgent
from tests.inbox.scene import (
    answer,
    ask,
    cancel,
    delivery,
    frames,
    hook,
    payloads,
    reopen,
    resolution,
    shown,
)
from tests.waiting import wait_until


def tried() -> list[Report]:
    """Every answer that is due, tried once, as `gemba deliver` does it."""
    return [report for _, report in use_index(deliver_all)]


def question_of(agent: Agent) -> str:
    """The id of what the agent asked first."""
    asked: str = frames("GembaAsk", agent.session)[0]["event_id"]
    return asked


def statuses(agent: Agent) -> list[str]:
    """The deliveries of its session as recorded, in order."""
    return [one["status"] for one in payloads("GembaDelivery", agent.session)]


def test_an_idle_agent_without_hooks_gets_the_answer_typed_and_submitted(
    start_agent: StartAgent,
) -> None:
    """The whole way with the real commands; nobody claims that it was acknowledged."""
    agent = start_agent(SHELL)
    item = agent.asked.splitlines()[0]
    done = run_cli("gemba", "escalations", "respond", item[:8], "deep blue")
    assert done.returncode == 0
    assert "submitted" in done.stdout
    assert agent.tells("submitted") == "deep blue"
    assert delivery(item)[0] == "submitted"
    assert statuses(agent) == ["claimed", "typed", "submitted"]


def test_an_agent_with_hooks_acknowledges_by_its_prompt(start_agent: StartAgent) -> None:
    """`respond` waits for the receipt and says so; the prompt settles nothing else."""
    agent = start_agent("codex")
    agent.hook("SessionStart", source="startup")
    other = agent.asks_on()
    item = question_of(agent)
    command = [str(SCRIPTS / "gemba"), "escalations", "respond", item, "deep blue"]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE) as respond:
        agent.hook("UserPromptSubmit", prompt=agent.tells("submitted"))
        out, _ = respond.communicate(timeout=30)
    assert respond.returncode == 0
    assert "acknowledged" in out.decode()
    assert delivery(item)[0] == "acknowledged"
    assert shown(other).state == "open"
    assert agent.told("submitted") == ["deep blue"]


def test_what_is_typed_arrives_as_it_was_written(start_agent: StartAgent) -> None:
    """Key names, quotes, shell signs and line breaks are text."""
    agent = start_agent("codex")
    text = "-first C-c Enter ; $HOME `id` \"q\" '\\n'\nsecond → ü"
    answer(question_of(agent), value=text)
    assert [report.status for report in tried()] == ["submitted"]
    assert agent.tells("submitted") == text


@pytest.mark.parametrize("value", ["one\ntwo", "x" * 4001])
def test_what_an_unknown_client_could_not_take_whole_is_refused(
    start_agent: StartAgent, value: str
) -> None:
    """Failed with a hint rather than cut or sent in parts; not a byte is typed."""
    agent = start_agent(SHELL)
    item = question_of(agent)
    answer(item, value=value)
    assert [report.status for report in tried()] == ["failed"]
    assert "--wait" in delivery(item)[1]
    assert statuses(agent) == ["failed"]
    assert resolution(item).value == value


@pytest.mark.parametrize(
    ("agent_type", "why"), [("gemini", "at work"), ("codex", "own hook hands it over")]
)
def test_an_agent_at_work_gets_it_when_its_turn_ends(
    start_agent: StartAgent, agent_type: str, why: str
) -> None:
    """Held with the reason while the turn is open, then delivered by `gemba deliver`."""
    agent = start_agent(agent_type)
    agent.hook("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    item = question_of(agent)
    answer(item)
    assert [report.status for report in tried()] == ["held"]
    assert why in delivery(item)[1]
    assert agent.told("pasted") == []
    agent.hook("Stop")
    assert "submitted" in run_cli("gemba", "deliver").stdout
    assert agent.tells("submitted") == "blue"


def test_an_agent_that_says_it_works_is_not_typed_at(start_agent: StartAgent) -> None:
    """Its own word counts where there are no hooks; `prompting` lets the answer through."""
    agent = start_agent(SHELL)
    hook("GembaState", agent.session, state="working")
    item = question_of(agent)
    answer(item)
    assert [report.status for report in tried()] == ["held"]
    hook("GembaState", agent.session, state="prompting")
    assert [report.status for report in tried()] == ["submitted"]


def test_nothing_is_typed_while_a_dialog_is_open(start_agent: StartAgent) -> None:
    """An Enter would approve it; when the person has decided, the answer goes."""
    agent = start_agent("codex")
    agent.hook("SessionStart", source="startup")
    agent.hook("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"})
    item = question_of(agent)
    answer(item)
    assert [report.status for report in tried()] == ["held"]
    assert "dialog" in delivery(item)[1]
    assert agent.told("pasted") == []
    agent.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"})
    agent.hook("Stop")
    assert [report.status for report in tried()] == ["submitted"]


def test_a_dialog_that_nobody_reported_is_never_approved(start_agent: StartAgent) -> None:
    """It swallows the text; no Enter follows, and a person has to decide."""
    agent = start_agent("codex")
    agent.open_dialog()
    item = question_of(agent)
    answer(item)
    assert [report.status for report in tried()] == ["uncertain"]
    assert "Enter was not pressed" in delivery(item)[1]
    assert agent.told("approved") == []
    assert tried() == []


def test_a_pane_in_copy_mode_is_held(start_agent: StartAgent) -> None:
    """Copy mode would take the keys for itself."""
    agent = start_agent("codex")
    agent.server.run("copy-mode", "-t", agent.pane.pane_id)
    item = question_of(agent)
    answer(item)
    assert [report.status for report in tried()] == ["held"]
    assert "copy mode" in delivery(item)[1]
    agent.server.run("send-keys", "-t", agent.pane.pane_id, "-X", "cancel")
    assert [report.status for report in tried()] == ["submitted"]
    assert agent.tells("submitted") == "blue"


def test_a_draft_of_the_person_is_not_sent(start_agent: StartAgent) -> None:
    """Somebody has begun to type: the answer is held until the input line is theirs no more."""
    agent = start_agent("codex")
    agent.server.run("set-buffer", "-b", "draft", "my own words")
    agent.server.run("paste-buffer", "-p", "-b", "draft", "-t", agent.pane.pane_id)
    wait_until(lambda: "my own words" in agent.server.capture(agent.pane), what="the draft")
    item = question_of(agent)
    answer(item)
    assert [report.status for report in tried()] == ["held"]
    agent.empty()
    assert [report.status for report in tried()] == ["submitted"]
    assert agent.tells("submitted") == "blue"


def test_one_pane_takes_one_delivery(start_agent: StartAgent) -> None:
    """While one may be half-way into the pane, the next is held; a person frees the pane."""
    agent = start_agent("codex")
    first, second = question_of(agent), agent.asks_on()
    [settled] = answer(first, value="first")
    hook(
        "GembaDelivery",
        agent.session,
        resolution_id=settled.resolution_id,
        attempt=1,
        status="uncertain",
        by="gemba",
    )
    answer(second, value="second")
    assert [report.status for report in tried()] == ["held"]
    assert "another delivery has the pane" in delivery(second)[1]
    leave = ("gemba", "escalations", "redeliver", first, "--leave")
    assert [run_cli(*leave).returncode for _ in range(2)] == [0, 1]
    assert [report.status for report in tried()] == ["submitted"]
    assert agent.tells("submitted") == "second"
    assert agent.told("pasted") == ["second"]


def test_one_answer_to_two_questions_of_a_pane_is_typed_once(start_agent: StartAgent) -> None:
    """One decision, one delivery."""
    agent = start_agent("codex")
    ids = [question_of(agent), agent.asks_on()]
    answer(*ids, value="both")
    assert [report.status for report in tried()] == ["submitted"]
    assert agent.tells("submitted") == "both"
    assert tried() == []
    assert [delivery(one)[0] for one in ids] == ["submitted", "submitted"]


def test_an_answer_that_was_withdrawn_is_not_typed(start_agent: StartAgent) -> None:
    """Reopened before it went out: only the new answer goes."""
    agent = start_agent("codex")
    item = question_of(agent)
    answer(item, value="old")
    reopen(item)
    assert tried() == []
    answer(item, value="new")
    assert [report.status for report in tried()] == ["submitted"]
    assert agent.tells("submitted") == "new"
    assert agent.told("pasted") == ["new"]


def test_a_killed_deliverer_leaves_it_uncertain_and_a_person_decides(
    start_agent: StartAgent,
) -> None:
    """Typed, then SIGKILL: shown as uncertain, never retried by itself; `redeliver` does."""
    agent = start_agent("codex")
    item = question_of(agent)
    # A long text is given seconds to settle: time to be killed in.
    text = "All work and no play. " * 6000 + "end"
    command = [str(SCRIPTS / "gemba"), "escalations", "respond", item, "-"]
    with subprocess.Popen(
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as respond:
        assert respond.stdin
        respond.stdin.write(text.encode())
        respond.stdin.close()
        wait_until(lambda: statuses(agent)[-1:] == ["typed"], what="the paste")
        respond.send_signal(signal.SIGKILL)
    agent.tells("pasted")
    assert delivery(item) == ("uncertain", "its deliverer is gone")
    listed = run_cli("gemba", "escalations", "list", "--all", "--json").stdout
    assert '"delivery":{"status":"uncertain"' in listed
    assert "uncertain" in run_cli("gemba", "escalations", "show", item).stdout
    assert tried() == []
    assert run_cli("gemba", "deliver").stdout == "Nothing is waiting to be delivered.\n"
    assert len(agent.told("pasted")) == 1
    agent.empty()
    done = run_cli("gemba", "escalations", "redeliver", item)
    assert done.stdout.startswith("submitted")
    assert agent.tells("submitted") == text
    assert agent.told("submitted") == [text]
    again = shown(item).delivery
    assert again is not None
    assert again.attempt == 2


def test_a_waiting_gemba_ask_goes_before_the_pane(start_agent: StartAgent) -> None:
    """It prints the answer; not a byte is typed at the agent."""
    agent = start_agent("codex", (*QUESTION, "--wait"), ready=False)
    wait_until(lambda: payloads("GembaState", agent.session), what="the wait to begin")
    item = question_of(agent)
    done = run_cli("gemba", "escalations", "respond", item, "deep blue")
    assert "collected" in done.stdout
    assert agent.asked == "deep blue\n"
    agent.tells("ready")
    assert tried() == []
    assert agent.told("pasted") == []
    assert "typed" not in statuses(agent)


def test_a_pane_that_is_gone_is_failed_and_says_so(start_agent: StartAgent) -> None:
    """The answer stays on the record."""
    agent = start_agent("codex")
    item = question_of(agent)
    agent.server.run("kill-pane", "-t", agent.pane.pane_id)
    done = run_cli("gemba", "escalations", "respond", item, "late")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith("failed")
    assert re.search(r"%\d+ is gone|has ended", delivery(item)[1])
    assert resolution(item).value == "late"


def test_an_agent_that_ended_in_a_living_pane_is_failed(start_agent: StartAgent) -> None:
    """Whatever runs there now did not ask."""
    agent = start_agent("codex")
    item = question_of(agent)
    agent.server.run("set-option", "-g", "remain-on-exit", "on")
    os.kill(agent.pane.pid, signal.SIGKILL)
    answer(item)
    is_dead = ("display-message", "-p", "-t", agent.pane.pane_id, "#{pane_dead}")
    wait_until(lambda: agent.server.run(*is_dead).strip() == "1", what="the end of the program")
    assert [report.status for report in tried()] == ["failed"]
    assert "ended" in delivery(item)[1]


def test_without_a_pane_the_answer_waits_to_be_fetched() -> None:
    """Nobody is kept for ten seconds by what cannot change by itself."""
    item = ask()
    answer(item)
    [report] = tried()
    assert (report.status, report.is_passing) == ("held", False)
    assert "--resume" in delivery(item)[1]


def test_a_workflow_without_a_runner_fetches_by_being_resumed() -> None:
    """Nothing else goes on with its answer."""
    item = ask(agent_type="workflow")
    answer(item)
    tried()
    assert "gemba workflow resume" in delivery(item)[1]


def test_trying_again_and_again_writes_the_reason_once() -> None:
    """A held delivery does not fill the log."""
    answer(ask())
    for _ in range(5):
        tried()
    assert len(payloads("GembaDelivery")) == 1


def test_what_has_arrived_is_not_delivered_again() -> None:
    """`redeliver` says so."""
    item = ask()
    done = run_cli("gemba", "escalations", "redeliver", item)
    assert done.returncode == 1
    assert "respond to it first" in done.stderr
    cancel(item)
    done = run_cli("gemba", "escalations", "redeliver", item)
    assert f"`gemba escalations reopen {item}` first" in done.stderr
    reopen(item)
    answer(item)
    hook("UserPromptSubmit", prompt="blue", session_id="c1")
    assert delivery(item)[0] == "acknowledged"
    done = run_cli("gemba", "escalations", "redeliver", item)
    assert done.returncode == 1
    assert "has arrived" in done.stderr
