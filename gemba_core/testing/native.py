"""The native adaptor as a subject: in a home and a repository of its own, with a scripted agent."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from unittest.mock import patch

from gemba_core import caller, home
from gemba_core.agents import load
from gemba_core.launch import compose
from gemba_core.orchestration.escalation import EscalationUrgency
from gemba_core.orchestration.native import ledger, members, places, workspaces
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.native.scope import agent_of
from gemba_core.orchestration.native.tmux import TmuxServer
from gemba_core.orchestration.work.queue import NewItem, Queue
from gemba_core.orchestration.workspace import Workspace
from gemba_core.panes import name_of
from gemba_core.processes import is_alive
from gemba_core.testing.outcome import expect
from gemba_core.testing.subject import Subject

_ITEMS = 8
_POLL = 0.01
_AGENT = "#!/bin/sh\nwhile :; do sleep 1; done\n"
_FOLDERS = ("worktrees", "workspaces", "gitdirs")
_ASKS = {
    EscalationUrgency.BLOCKING: ("--kind", "blocker", "--role", "manager"),
    EscalationUrgency.ADVISORY: ("--kind", "question", "--role", "coach"),
}
# What names a session, a pane or a client around us.
_AROUND = ("GEMBA_", "TMUX", "CLAUDE", "CODEX_", "GEMINI_", "CURSOR_", "OPENCODE")


class NativeSubject(Subject):
    """What agents and users do is done as they do it: by the programs that they call."""

    event_capacity = 20
    # Seconds: longer than a busy machine takes from a claim to a session, short enough to be slept.
    ttl = 8.0

    @asynccontextmanager
    async def adaptor(self) -> AsyncIterator[NativeAdaptor]:
        with tempfile.TemporaryDirectory(prefix="gemba-") as folder, _apart(folder):
            self.repository = os.path.join(folder, "repository")
            _make_repository(Path(self.repository))
            queue = Queue(home.work_path())
            for number in range(_ITEMS):
                await queue.add(NewItem(title=f"item {number}"))
            async with open_native(
                self.repository, ttl=self.ttl, capacity=self.event_capacity
            ) as adaptor:
                yield adaptor

    async def begin_turn(self, adaptor: NativeAdaptor, session_id: str) -> None:
        await _hook(session_id, "UserPromptSubmit", b'{"prompt": "go on"}')

    async def end_turn(self, adaptor: NativeAdaptor, session_id: str) -> None:
        await _hook(session_id, "Stop", b"{}")

    async def run_reaper(self, adaptor: NativeAdaptor) -> None:
        await adaptor.reap(idle_timeout=-1.0)

    async def open_escalation(
        self, adaptor: NativeAdaptor, session_id: str, urgency: EscalationUrgency
    ) -> str:
        said = await _run(session_id, "gemba-ask", *_ASKS[urgency], "--text", "May I go on?")
        return said.splitlines()[0]

    async def end_by_provider(self, adaptor: NativeAdaptor, session_id: str) -> None:
        agent = agent_of(await asyncio.to_thread(ledger.read, session_id, "session"))
        expect(agent is not None, f"no agent is known of {session_id}")
        assert agent is not None
        os.kill(agent[0], signal.SIGKILL)
        while is_alive(agent):
            await asyncio.sleep(_POLL)

    async def write_in_workspace(
        self, adaptor: NativeAdaptor, workspace: Workspace, path: str, data: bytes
    ) -> bool:
        agent = load(os.path.join(self.repository, ".gemba", "agents.toml"))[0]
        writer = agent.model_copy(
            update={"binary": None, "command": ("sh", "-c", 'cat > "$0"', path)}
        )
        launch = compose(writer, caller.environment(), session_id=workspace.id)
        words = await asyncio.to_thread(workspaces.wrap, workspace, launch, writer)
        await _given(data, *words, environment=launch.environment(os.environ, own_pane=False))
        written = Path(workspace.worktree_path or "", path)
        return written.exists() and written.read_bytes() == data

    async def leftovers(self, adaptor: NativeAdaptor, session_id: str) -> list[str]:
        return await asyncio.to_thread(left_of, session_id)

    def another(self, adaptor: NativeAdaptor) -> AbstractAsyncContextManager[NativeAdaptor]:
        return open_native(self.repository, ttl=self.ttl)

    @asynccontextmanager
    async def degrade(self, adaptor: NativeAdaptor) -> AsyncIterator[None]:
        with patch.dict(os.environ, PATH=os.devnull):
            yield


def left_of(session_id: str) -> list[str]:
    """What there still is of a session in this home, apart from its log. Blocking."""
    name = home.safe_id(session_id)
    paths = (
        *(os.path.join(home.home(), folder, name) for folder in _FOLDERS),
        home.own_dir(session_id),
        places.launch_path(session_id),
        f"{places.launch_path(session_id)}.exit",
        places.scope_lock_path(session_id),
    )
    return [
        *(f"process {pid}" for pid in members.members(session_id)),
        *(f"pane {one}" for one in TmuxServer().panes() if one == name_of(session_id)),
        *(path for path in paths if os.path.lexists(path)),
    ]


@contextmanager
def _apart(folder: str) -> Iterator[None]:
    """An environment of our own, outside of any session, while the block lasts."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_AROUND)}
    with patch.dict(os.environ, {**kept, "GEMBA_HOME": f"{folder}/home"}, clear=True):
        yield


def _make_repository(folder: Path) -> None:
    (folder / ".gemba").mkdir(parents=True)
    agent = folder / "agent.sh"
    agent.write_text(_AGENT)
    agent.chmod(0o755)
    (folder / ".gemba" / "agents.toml").write_text(f'[[agent]]\nname = "sh"\nbinary = "{agent}"\n')
    who = ("-c", "user.name=gemba", "-c", "user.email=gemba@localhost")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "first")):
        subprocess.run(["git", *words], cwd=folder, check=True, stdin=subprocess.DEVNULL)


async def _hook(session_id: str, name: str, payload: bytes) -> None:
    await _run(session_id, "gemba-bridge", name, given=payload)


async def _run(session_id: str, program: str, *args: str, given: bytes = b"") -> str:
    """What a program of the agent's side prints, in that session."""
    path = os.path.join(os.path.dirname(sys.executable), program)
    environment = {
        **os.environ,
        "GEMBA_SESSION_ID": session_id,
        "GEMBA_INTERACTION_MODE": "balanced",
    }
    return (await _given(given, path, *args, environment=environment)).decode()


async def _given(data: bytes, *words: str, environment: Mapping[str, str]) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    return (await process.communicate(data))[0]
