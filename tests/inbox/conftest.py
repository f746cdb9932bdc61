"""Agents in real terminal panes that ask a real question."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.inbox.scene import hook, payloads
from tests.panes.conftest import PROGRAMS, Program
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until

AGENT = Path(__file__).parent / "programs" / "agent.py"
SHELL = "shell-only"
QUESTION = ("--kind", "question", "--role", "coach", "--text", "Which colour?")


@dataclass(frozen=True)
class Agent(Program):
    """A program in a pane; its session is named by the pane."""

    agent_type: str

    @property
    def session(self) -> str:
        """The session id that the sentinels derive in this pane."""
        return f"tmux:{self.pane.pane_id}"

    @property
    def asked(self) -> str:
        """What gemba-ask printed when it had ended."""
        path = Path(f"{self.record}.asked")
        wait_until(path.exists, what="the end of gemba-ask")
        return path.read_text()

    def hook(self, name: str, **payload: object) -> None:
        """What the agent's hooks report."""
        hook(name, self.session, agent_type=self.agent_type, session_id="c1", **payload)

    def asks_on(self, text: str = "And another?") -> str:
        """One more question from the same pane; its id."""
        again = payloads("GembaAsk", self.session)[0] | {"text": text}
        return hook("GembaAsk", self.session, agent_type=self.agent_type, **again)


StartAgent = Callable[..., Agent]


@pytest.fixture
def start_agent(tmux: TmuxServer, tmp_path: Path) -> StartAgent:
    """Start an agent of that type in a pane: it asks, and then sits at its prompt."""
    started = 0

    def start(agent_type: str, question: Sequence[str] = QUESTION, *, ready: bool = True) -> Agent:
        nonlocal started
        started += 1
        script, prompt = ("line_reader.py", "?") if agent_type == SHELL else ("composer.py", ">")
        record = tmp_path / f"record-{started}.jsonl"
        env = {"GEMBA_AGENT_TYPE": agent_type, "GEMBA_HOME": os.environ["GEMBA_HOME"]}
        argv = [sys.executable, str(AGENT), str(PROGRAMS / script), str(record), *question]
        agent = Agent(tmux, tmux.new_pane(argv, env), record, agent_type)
        if ready:
            agent.tells("ready")
            wait_until(lambda: tmux.capture(agent.pane).strip().endswith(prompt), what="its prompt")
        return agent

    return start
