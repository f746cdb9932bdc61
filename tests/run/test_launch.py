"""What a session is begun with."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home, launch
from gemba_core.agents import Agent
from gemba_core.errors import GembaError, UsageError


@pytest.fixture
def inherited(tmp_path: Path) -> dict[str, str]:
    """An environment whose PATH has the programs of these tests."""
    for name in ("claude", "codex", "gemini", "aider"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.touch(0o755)
    return {"PATH": str(tmp_path / "bin"), "LANG": "C"}


def agent(**keys: Any) -> Agent:
    """An agent with these keys."""
    return Agent.model_validate({"name": "mine", "binary": "codex", **keys})


def test_each_session_has_an_id_of_its_own(inherited: dict[str, str]) -> None:
    """The agent's name and eight hex digits."""
    ids = {launch.compose(agent(), inherited).session_id for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch(r"mine-[0-9a-f]{8}", one) for one in ids)


def test_the_environment_says_who_the_agent_is(inherited: dict[str, str]) -> None:
    """Id, kind, mode, and the home where it is set; the rest is inherited."""
    inherited["GEMBA_HOME"] = "/g"
    composed = launch.compose(agent(interaction_mode="cautious"), inherited)
    assert composed.environment(inherited, own_pane=True) == {
        **inherited,
        "GEMBA_SESSION_ID": composed.session_id,
        "GEMBA_AGENT_TYPE": "codex",
        "GEMBA_INTERACTION_MODE": "cautious",
        "GEMBA_HOME": "/g",
    }


@pytest.mark.parametrize(("own_pane", "pane"), [(True, "%1"), (False, None)])
def test_a_child_has_no_pane(inherited: dict[str, str], own_pane: bool, pane: str | None) -> None:
    """An answer typed into its parent's pane would reach the parent."""
    inherited |= {"TMUX": "/s,1,0", "TMUX_PANE": "%1", "GEMBA_HOOK_EVENT": "Stop"}
    inherited["GEMBA_SESSION_ID"] = "parent"
    composed = launch.compose(agent(), inherited)
    environment = composed.environment(inherited, own_pane=own_pane)
    assert environment.get("TMUX_PANE") == pane
    assert environment["GEMBA_SESSION_ID"] == composed.session_id
    assert "GEMBA_HOOK_EVENT" not in environment


def test_the_mode_is_as_given_else_the_agents_else_the_environments(
    inherited: dict[str, str],
) -> None:
    """And balanced, where nobody says anything."""
    assert launch.compose(agent(), inherited).mode == "balanced"
    inherited["GEMBA_INTERACTION_MODE"] = "cautious"
    assert launch.compose(agent(), inherited).mode == "cautious"
    dangerous = agent(interaction_mode="dangerous")
    assert launch.compose(dangerous, inherited).mode == "dangerous"
    assert launch.compose(dangerous, inherited, mode="balanced").mode == "balanced"
    inherited["GEMBA_INTERACTION_MODE"] = "wild"
    with pytest.raises(UsageError, match="'wild'"):
        launch.compose(agent(), inherited)


def test_the_words_are_the_programs_the_agents_and_the_callers(inherited: dict[str, str]) -> None:
    """In that order, and the first prompt last, where no option can take it."""
    mine = agent(command="codex exec", binary=None, args=["--a"], model="m", preamble=" -Go.\n")
    composed = launch.compose(mine, inherited, args=["--b", "c"])
    program = f"{inherited['PATH']}/codex"
    expected = (program, "exec", "--a", "--model", "m", "--b", "c", "--", "-Go.")
    assert composed.argv == expected
    assert composed.prompt == "-Go."


def test_gemini_takes_its_first_prompt_as_an_option(inherited: dict[str, str]) -> None:
    """A bare one would be answered without a terminal interface."""
    composed = launch.compose(agent(binary="gemini", preamble="Go."), inherited)
    assert composed.argv[1:] == ("--prompt-interactive=Go.",)


def test_more_words_come_behind_the_preamble(inherited: dict[str, str]) -> None:
    """Each a paragraph; without a preamble they are all that is said."""
    words = ["You work on it.", "", "Mend it."]
    composed = launch.compose(agent(preamble="Go."), inherited, words=words)
    assert composed.prompt == "Go.\n\nYou work on it.\n\nMend it."
    assert launch.compose(agent(), inherited, words=words[2:]).prompt == "Mend it."


@pytest.mark.parametrize(
    ("binary", "args"), [("codex", ["resume"]), ("aider", []), ("aider", ["--x"])]
)
def test_a_preamble_that_cannot_be_given_is_said(
    inherited: dict[str, str], binary: str, args: list[str]
) -> None:
    """Behind a command or prompt of the caller's, and for programs that take none."""
    composed = launch.compose(agent(binary=binary, preamble="Go."), inherited, args=args)
    assert composed.argv[1:] == tuple(args)
    assert composed.prompt is None
    assert "preamble" in composed.remarks[0]


def test_a_missing_program_is_told(inherited: dict[str, str]) -> None:
    """Before anything is recorded or started."""
    with pytest.raises(GembaError, match="agent mine: nowhere: no such program"):
        launch.compose(agent(binary="nowhere"), inherited)


def test_the_first_prompt_is_announced(inherited: dict[str, str]) -> None:
    """As its digest and length in the log, in the form in which prompts are compared."""
    composed = launch.compose(agent(preamble="Go\r\non. "), inherited)
    launch.announce(composed)
    text = Path(home.log_path(composed.session_id)).read_text()
    assert '"hook":"GembaEcho"' in text
    assert f'"text_sha256":"{hashlib.sha256(b"Go" + bytes([10]) + b"on.").hexdigest()}"' in text
    assert '"length":6,"why":"start prompt"' in text


def test_nothing_is_recorded_where_nothing_is_said(inherited: dict[str, str]) -> None:
    """A session begins with the agent's own first hook."""
    composed = launch.compose(agent(), inherited)
    launch.announce(composed)
    assert not Path(home.log_path(composed.session_id)).exists()
