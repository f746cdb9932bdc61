"""A prompt of the operator's into a real pane: typed to an idle agent, and nobody's answer."""

import json
import subprocess

import pytest

from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.conftest import SHELL, Agent, StartAgent
from tests.inbox.scene import ask, frames, hook, shown
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until


def send(agent: Agent, text: str, *more: str) -> tuple[int, str]:
    """The exit code of `gemba sessions send`, and all that it said."""
    done = run_cli("gemba", "sessions", "send", agent.session, text, *more)
    return done.returncode, done.stdout + done.stderr


def test_an_idle_agent_gets_the_prompt(start_agent: StartAgent) -> None:
    """Typed and submitted, and on the record before."""
    agent = start_agent(SHELL)
    assert send(agent, "Run the tests.") == (0, f"{agent.session}: submitted\n")
    assert agent.tells("submitted") == "Run the tests."
    assert [one["payload"]["why"] for one in frames("GembaEcho", agent.session)] == [
        "sessions send"
    ]


def test_it_settles_no_question(start_agent: StartAgent) -> None:
    """It comes back as a prompt, which would else be the answer to what is open."""
    agent = start_agent("claude")
    item = agent.asked.splitlines()[0]
    agent.hook("SessionStart", source="startup")
    assert send(agent, "Look at the log first.")[0] == 0
    agent.hook("UserPromptSubmit", prompt="Look at the log first.")
    assert shown(item).state == "open"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("UserPromptSubmit", "the agent is at work; wait for it with --wait TIME"),
        ("PermissionRequest", "a dialog"),
    ],
)
def test_an_agent_that_is_not_idle_gets_nothing(
    start_agent: StartAgent, name: str, why: str
) -> None:
    """It says why; nothing is typed and nothing recorded."""
    agent = start_agent("claude")
    agent.hook("SessionStart", source="startup")
    agent.hook(name, prompt="go", tool_name="Bash", tool_input={"command": "ls"})
    code, said = send(agent, "Stop.")
    assert code == 1
    assert why in said
    assert frames("GembaEcho", agent.session) == []


def test_what_holds_it_is_said_with_what_helps(start_agent: StartAgent) -> None:
    """An end is not waited for; nobody spoke of an answer."""
    agent = start_agent(SHELL)
    hook("GembaState", agent.session, state="working")
    told = "the agent reported working; wait for it with --wait TIME"
    assert send(agent, "Go on.") == (1, f"gemba: {agent.session}: {told}\n")
    hook("SessionEnd", agent.session, reason="logout")
    told = "the session has ended"
    assert send(agent, "Go on.", "--wait", "1h") == (1, f"gemba: {agent.session}: {told}\n")


def test_it_can_wait_for_the_end_of_the_turn(start_agent: StartAgent) -> None:
    """--wait: as soon as the agent is idle."""
    agent = start_agent("claude")
    agent.hook("SessionStart", source="startup")
    agent.hook("UserPromptSubmit", prompt="go")
    command = [str(SCRIPTS / "gemba"), "sessions", "send", agent.session, "Next.", "--wait", "30s"]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE) as waiting:
        agent.hook("Stop")
        assert waiting.wait(30) == 0
    assert agent.tells("submitted") == "Next."


def test_an_agent_types_for_nobody(start_agent: StartAgent) -> None:
    """What runs inside a session is refused."""
    agent = start_agent(SHELL)
    done = run_cli(
        "gemba", "sessions", "send", agent.session, "yes", env={"GEMBA_SESSION_ID": "s1"}
    )
    assert done.returncode == 1
    assert "an agent does not type" in done.stderr


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_prompt_is_a_usage_error(start_agent: StartAgent, text: str) -> None:
    """Nothing would be typed."""
    assert send(start_agent(SHELL), text)[0] == 2


def test_a_session_without_a_pane_says_so() -> None:
    """For send, peek and attach."""
    hook("GembaState", "s1", state="ready")
    for args in (("send", "s1", "go"), ("attach", "s1"), ("peek", "s1")):
        done = run_cli("gemba", "sessions", *args)
        assert (done.returncode, "no pane is known" in done.stderr) == (1, True), args


def test_a_peek_shows_the_pane(start_agent: StartAgent) -> None:
    """As text, and as JSON with the moment."""
    agent = start_agent(SHELL)
    wait_until(lambda: "?" in agent.server.capture(agent.pane), what="its prompt")
    assert "?" in run_cli("gemba", "sessions", "peek", agent.session).stdout
    told = json.loads(run_cli("gemba", "sessions", "peek", agent.session, "--json").stdout)
    assert sorted(told) == ["at", "text", "why"]


def test_a_peek_shows_what_has_scrolled_away(tmux: TmuxServer) -> None:
    """So many of the last lines as are asked for."""
    pane = tmux.new_pane(["sh", "-c", "seq 1000; exec cat"])
    address = {
        "tmux_socket": str(tmux.socket),
        "tmux_server_pid": tmux.server_pid,
        "tmux_pane": pane.pane_id,
    }
    ask(session="s1", reply_to=address)
    wait_until(lambda: "1000" in tmux.capture(pane), what="the numbers")
    told = run_cli("gemba", "sessions", "peek", "s1", "--lines", "300").stdout
    assert told.splitlines() == [str(number) for number in range(701, 1001)]
