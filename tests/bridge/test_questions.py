"""The agent's own questions, answered from the inbox in place of its dialog."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gemba_core.inbox.deliver import deliver
from gemba_core.inbox.opened import use_index
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import answer, cancel, delivery, frames, hook, payloads, shown
from tests.operator.desk import told
from tests.waiting import wait_until

COLOUR = {
    "question": "Which colour?",
    "header": "Colour",
    "options": [{"label": "Red", "description": "like a fire"}, {"label": "Blue"}],
    "multiSelect": False,
}
SIZES = {
    "question": "Which sizes?",
    "options": [{"label": "S"}, {"label": "L"}],
    "multiSelect": True,
}
ENV = {"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": "claude"}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace whose questions are the inbox's."""
    return configured(tmp_path, 'questions = "inbox"\npermission_timeout = 60')


def configured(folder: Path, keys: str, agent: str = "claude") -> Path:
    """A workspace with these keys for that agent."""
    (folder / ".gemba").mkdir(exist_ok=True)
    agents = f'[[agent]]\nname = "{agent}"\nbinary = "{agent}"\n{keys}\n'
    (folder / ".gemba" / "agents.toml").write_text(agents)
    return folder


def call(*questions: dict[str, Any], tool: str = "AskUserQuestion") -> str:
    """What Claude Code gives to its hook."""
    given = {"questions": list(questions)}
    return json.dumps({"session_id": "c1", "tool_name": tool, "tool_input": given})


@contextmanager
def asking(workspace: Path, *questions: dict[str, Any]) -> Iterator[subprocess.Popen[str]]:
    """The hook, while it waits."""
    process = subprocess.Popen(
        [str(SCRIPTS / "gemba-bridge"), "PreToolUse"],
        env=environment(ENV),
        cwd=workspace,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    process.stdin.write(call(*questions))
    process.stdin.close()
    process.stdin = None
    try:
        wait_until(lambda: len(opened()) == len(questions), what="the questions in the inbox")
        yield process
    finally:
        process.kill()
        process.communicate()


def opened() -> list[str]:
    """The escalations that were opened, in their order."""
    return [frame["event_id"] for frame in frames("GembaEscalate")]


def said(process: subprocess.Popen[str]) -> str:
    """What the hook printed; it must end well."""
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in err
    return out


def test_a_question_is_in_the_inbox_with_its_options(workspace: Path) -> None:
    """The labels are the values, and the whole input is kept."""
    with asking(workspace, COLOUR):
        item = shown(opened()[0])
        assert (item.source, item.urgency, item.state) == ("question", "blocking", "open")
        assert item.title == "Colour: Which colour?"
        assert [option["value"] for option in item.options] == ["Red", "Blue"]
        assert payloads("GembaEscalate")[0]["detail"] == {"questions": [COLOUR]}


def test_an_answer_reaches_claude_in_its_own_shape(workspace: Path) -> None:
    """Allowed, with the questions as they were and the answer by the question's text."""
    with asking(workspace, COLOUR) as process:
        answer(opened()[0], value="Blue")
        printed = json.loads(said(process))
    assert printed == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {"questions": [COLOUR], "answers": {"Which colour?": "Blue"}},
        }
    }


def test_the_agent_s_next_hook_is_the_receipt(workspace: Path) -> None:
    """Submitted when it is printed, acknowledged when the agent goes on."""
    with asking(workspace, COLOUR) as process:
        answer(opened()[0], value="Blue")
        assert said(process)
    assert delivery(opened()[0])[0] == "submitted"
    hook("PostToolUse", agent_type="claude", tool_name="AskUserQuestion")
    assert delivery(opened()[0])[0] == "acknowledged"


def test_the_session_is_prompting_as_long_as_it_waits(workspace: Path) -> None:
    """Since then, and on that question; then it goes on."""
    with asking(workspace, COLOUR) as process:
        [session] = told("sessions", "list")
        assert (session["status"], session["note"]) == ("prompting", "Colour: Which colour?")
        answer(opened()[0], value="Blue")
        assert said(process)
    [session] = told("sessions", "list")
    assert session["status"] == "working"


def test_an_operator_s_command_answers_it(workspace: Path) -> None:
    """It waits for the hook that hands it in, and for the next one, which is the receipt."""
    with asking(workspace, COLOUR) as process:
        argv = [str(SCRIPTS / "gemba"), "escalations", "respond", opened()[0], "Blue"]
        with subprocess.Popen(
            argv, env=environment(), stdout=subprocess.PIPE, text=True
        ) as command:
            assert '"Which colour?": "Blue"' in said(process)
            hook("PostToolUse", agent_type="claude", tool_name="AskUserQuestion")
            out, _ = command.communicate(timeout=20)
    assert command.returncode == 0
    assert "acknowledged" in out


def test_several_questions_are_answered_together(workspace: Path) -> None:
    """The hook waits for the last of them."""
    with asking(workspace, COLOUR, SIZES) as process:
        first, second = opened()
        answer(second, value="S, L")
        assert process.poll() is None
        answer(first, value="Red")
        printed = json.loads(said(process))
    given = printed["hookSpecificOutput"]["updatedInput"]["answers"]
    assert given == {"Which colour?": "Red", "Which sizes?": "S, L"}


def test_one_answer_may_settle_all_of_them(workspace: Path) -> None:
    """One decision about several is one delivery."""
    with asking(workspace, COLOUR, SIZES) as process:
        answer(*opened(), value="as you like")
        printed = json.loads(said(process))
    given = printed["hookSpecificOutput"]["updatedInput"]["answers"]
    assert set(given.values()) == {"as you like"}


def test_without_an_answer_in_time_the_native_dialog_decides(tmp_path: Path) -> None:
    """Nothing is printed, and what was open is closed."""
    workspace = configured(tmp_path, 'questions = "inbox"\npermission_timeout = 0.3')
    done = run_cli("gemba-bridge", "PreToolUse", input=call(COLOUR), env=ENV, cwd=workspace)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    item = shown(opened()[0])
    assert (item.state, item.reason) == ("canceled", "decided_in_pane")
    [session] = told("sessions", "list")
    assert session["status"] == "working"


def test_one_answer_of_two_is_not_handed_in(tmp_path: Path) -> None:
    """It is shown as failed: the dialog asks again for all."""
    workspace = configured(tmp_path, 'questions = "inbox"\npermission_timeout = 3')
    with asking(workspace, COLOUR, SIZES) as process:
        answer(opened()[0], value="Red")
        assert said(process) == ""
    first, second = opened()
    assert delivery(first)[0] == "failed"
    assert shown(second).reason == "decided_in_pane"


def test_nobody_waits_for_the_delivery_of_one_answer_of_two(workspace: Path) -> None:
    """It can't come about before the other question is answered, and that is told."""
    with asking(workspace, COLOUR, SIZES):
        [one] = answer(opened()[0], value="Red")
        report = use_index(lambda index: deliver(index, one.session_id, one.resolution_id))
    assert (report.status, report.is_passing) == ("held", False)
    assert "with the answers to its other questions" in str(report.detail)


@pytest.mark.parametrize("kind", ["cancel", "defer"])
def test_a_question_that_is_put_aside_is_left_to_the_dialog(workspace: Path, kind: str) -> None:
    """At once, and so are the others."""
    with asking(workspace, COLOUR, SIZES) as process:
        first, second = opened()
        if kind == "cancel":
            cancel(first)
        else:
            answer(first, kind="defer", value=None)
        assert said(process) == ""
    assert shown(second).state == "canceled"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_agent_that_gives_up_waiting_closes_its_question(
    workspace: Path, number: signal.Signals
) -> None:
    """Nobody would read an answer any more."""
    with asking(workspace, COLOUR) as process:
        process.send_signal(number)
        assert said(process) == ""
    assert shown(opened()[0]).state == "canceled"


def test_a_hook_that_is_killed_leaves_its_question_to_the_next_tick(workspace: Path) -> None:
    """Its lock tells that it is dead; one that lives is left alone."""
    with asking(workspace, COLOUR) as process:
        run_cli("gemba", "tick")
        assert shown(opened()[0]).state == "open"
        process.kill()
        process.wait()
        run_cli("gemba", "tick")
    item = shown(opened()[0])
    assert (item.state, item.reason) == ("canceled", "decided_in_pane")


def test_an_answer_to_its_question_names_the_hook_that_waits(workspace: Path) -> None:
    """It is no gemba-ask."""
    with asking(workspace, COLOUR, SIZES):
        answer(opened()[0], value="Red")
        run_cli("gemba", "deliver")
        status, detail = delivery(opened()[0])
    assert status == "held"
    assert detail.startswith("the agent's waiting hook hands it over")


@pytest.mark.parametrize("keys", ["", 'questions = "native"', 'permissions = "inbox"'])
def test_questions_stay_with_the_dialog_unless_it_is_said(tmp_path: Path, keys: str) -> None:
    """Recorded as any tool call, and nothing is asked."""
    workspace = configured(tmp_path, keys)
    done = run_cli("gemba-bridge", "PreToolUse", input=call(COLOUR), env=ENV, cwd=workspace)
    assert (done.stdout, done.stderr) == ("", "")
    assert [frame["hook"] for frame in frames()] == ["PreToolUse"]


@pytest.mark.parametrize(
    "given",
    [
        call(COLOUR, tool="ExitPlanMode"),
        call(COLOUR, tool="Bash") + '   "AskUserQuestion"',
        call(),
        call({"question": 7}),
        call({"question": "Which?", "options": [{"name": "a"}]}),
        call({"question": "Which?", "options": "a"}),
        '{"tool_name": "AskUserQuestion"}',
        '{"tool_name": "AskUserQuestion", "tool_input": "x"}',
        '"AskUserQuestion"',
    ],
    ids=range(9),
)
def test_what_is_no_question_as_we_know_it_is_left_to_the_dialog(
    workspace: Path, given: str
) -> None:
    """ExitPlanMode, other tools, and inputs of another version."""
    done = run_cli("gemba-bridge", "PreToolUse", input=given, env=ENV, cwd=workspace)
    assert (done.stdout, done.stderr) == ("", "")
    assert opened() == []


def test_codex_is_not_waited_for(workspace: Path) -> None:
    """It has no such tool."""
    env = ENV | {"GEMBA_AGENT_TYPE": "codex"}
    done = run_cli("gemba-bridge", "PreToolUse", input=call(COLOUR), env=env, cwd=workspace)
    assert done.stdout == ""
    assert opened() == []
