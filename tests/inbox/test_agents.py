"""An agent never answers itself, and nobody else unless the operator lists the kind."""

import getpass
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gemba_core.caller import AGENT_MARKS
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import answer, ask, frames, hook, log_bytes, resolution, shown

INSIDE = {"GEMBA_SESSION_ID": "s1"}
PANE = {"TMUX": "/tmp/sock,77,0", "TMUX_PANE": "%5"}


def configure(text: str) -> None:
    """The operator's configuration."""
    home = Path(os.environ["GEMBA_HOME"])
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(text)


def respond(item: str, env: dict[str, str]) -> tuple[int, str]:
    """The exit code and what was said on standard error."""
    done = run_cli("gemba", "escalations", "respond", item, "yes", env=env)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("respond", "{id}", "yes"),
        ("approve", "{id}"),
        ("deny", "{id}"),
        ("defer", "{id}"),
        ("cancel", "{id}"),
        ("reopen", "{settled}"),
        ("redeliver", "{settled}"),
        ("redeliver", "{settled}", "--leave"),
    ],
)
@pytest.mark.parametrize("session", ["s1", "other"])
def test_no_command_settles_anything_inside_a_session(args: tuple[str, ...], session: str) -> None:
    """Neither that session's own nor another's: exit 1, and not a byte is written."""
    ids = {"{id}": ask(session=session), "{settled}": ask(session=session)}
    answer(ids["{settled}"])
    before = log_bytes(session)
    done = run_cli("gemba", "escalations", *(ids.get(arg, arg) for arg in args), env=INSIDE)
    assert (done.returncode, done.stdout) == (1, "")
    assert "another terminal" in done.stderr or "terminal of your own" in done.stderr
    assert log_bytes(session) == before


def test_looking_is_allowed_inside_a_session() -> None:
    """Listing and showing settle nothing."""
    item = ask()
    for args in (("list",), ("show", item)):
        assert run_cli("gemba", "escalations", *args, env=INSIDE).returncode == 0


def test_one_of_its_own_among_others_refuses_all() -> None:
    """All or nothing holds for who may as well."""
    configure('agents_may_answer = ["question"]\n')
    ids = [ask(session="other"), ask(session="s1")]
    done = run_cli("gemba", "escalations", "approve", *ids, env=INSIDE)
    assert done.returncode == 1
    assert ids[1] in done.stderr
    assert frames("GembaResolve", "other") == []


def test_the_operator_may_let_agents_answer_a_kind_of_others() -> None:
    """It is attributed to the agent's session."""
    configure('agents_may_answer = ["question"]\n')
    item = ask(session="other")
    assert respond(item, INSIDE)[0] == 0
    resolution = shown(item).resolution
    assert resolution is not None
    assert (resolution.via, resolution.resolved_by) == ("agent", "s1")


def test_what_is_not_listed_stays_refused() -> None:
    """A listed kind opens no other; the refusal names the key and the file."""
    configure('agents_may_answer = ["question"]\n')
    code, said = respond(ask(session="other", kind="blocker"), INSIDE)
    assert code == 1
    assert "agents_may_answer" in said
    assert "config.toml" in said


def test_its_own_are_refused_whatever_is_listed() -> None:
    """Always."""
    configure('agents_may_answer = ["question", "blocker"]\n')
    code, said = respond(ask(), INSIDE)
    assert code == 1
    assert "never answers itself" in said


@pytest.mark.parametrize(
    "text",
    ['agents_may_answer = ["plea"]', 'agents_may_answer = "question"', "agents_may_answer ="],
)
def test_a_configuration_that_cannot_be_read_lists_nothing(text: str) -> None:
    """And the refusal says what is wrong with it."""
    configure(text)
    code, said = respond(ask(session="other"), INSIDE)
    assert code == 1
    assert said.count("config.toml") > 1


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_the_marks_of_the_clients_make_an_agent(mark: str) -> None:
    """Also one that runs without a session of Gemba's."""
    item = ask()
    assert respond(item, {mark: "1"})[0] == 1
    assert shown(item).state == "open"


def test_an_agent_without_a_session_is_attributed_as_agent() -> None:
    """Where the operator lets it."""
    configure('agents_may_answer = ["question"]\n')
    item = ask()
    assert respond(item, {"CLAUDECODE": "1"})[0] == 0
    resolution = shown(item).resolution
    assert resolution is not None
    assert (resolution.via, resolution.resolved_by) == ("agent", "agent")


@pytest.mark.parametrize("session", ["tmux:%5", "other"])
def test_a_pane_in_which_a_session_lives_is_inside_it(session: str) -> None:
    """The session is derived from TMUX_PANE exactly as gemba-ask derives it."""
    ask(session="tmux:%5")
    item = ask(session=session)
    assert respond(item, PANE)[0] == 1
    assert shown(item).state == "open"


def test_an_operator_in_a_plain_pane_may_answer() -> None:
    """People work in tmux too: a pane alone makes no agent."""
    item = ask()
    assert respond(item, PANE)[0] == 0
    resolution = shown(item).resolution
    assert resolution is not None
    assert resolution.via == "cli"


def test_a_pane_whose_session_has_ended_is_the_operators_again() -> None:
    """The agent is gone, the shell is back."""
    ask(session="tmux:%5")
    hook("SessionEnd", "tmux:%5", reason="logout")
    item = ask()
    assert respond(item, PANE)[0] == 0


AGENT = """
import subprocess, sys
bridge, gemba, item = sys.argv[1:]
subprocess.run([bridge, "SessionStart"], input=b'{"session_id": "c1", "source": "startup"}')
sys.exit(subprocess.run([gemba, "escalations", "respond", item, "yes"]).returncode)
"""


def test_in_the_pane_of_an_agent_its_own_processes_are_told_from_a_person() -> None:
    """What the agent runs is the agent; who comes to the same pane after it is not."""
    item = ask()
    scripts = [str(SCRIPTS / name) for name in ("gemba-bridge", "gemba")]
    agent = [sys.executable, "-c", AGENT, *scripts, item]
    assert subprocess.run(agent, env=environment(PANE), capture_output=True).returncode == 1
    assert respond(item, PANE)[0] == 0
    assert resolution(item).via == "cli"


def test_outside_the_person_is_named() -> None:
    """By the login name."""
    item = ask()
    assert respond(item, {})[0] == 0
    resolution = shown(item).resolution
    assert resolution is not None
    assert (resolution.via, resolution.resolved_by) == ("cli", getpass.getuser())
