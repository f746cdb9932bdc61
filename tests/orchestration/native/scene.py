"""A project with scripted agents, and what tests do with its sessions."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from gemba_core import home
from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.native import ledger
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.members import members
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.native.scope import agent_of
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import Session, SessionEndMode, SessionPrompt
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest
from gemba_core.panes import kept_socket
from gemba_core.processes import is_alive
from tests.commands import environment, run_cli
from tests.orchestration.native.conftest import git
from tests.waiting import wait_until

T = TypeVar("T")

_FOR_EVER = "while :; do sleep 1; done"
# What an agent of a test may be, by its name.
SCRIPTS = {
    "idle": _FOR_EVER,
    "brief": "exit 0",
    "broken": "exit 3",
    "leaver": "while [ ! -s ~/leave ]; do sleep 0.02; done; exit $(cat ~/leave)",
    "stubborn": f"trap '' TERM HUP INT; {_FOR_EVER}",
    "stray": f"(setsid sleep 1000 </dev/null >/dev/null 2>&1 &); {_FOR_EVER}",
    # A client that is known by its name: it ends at the second Ctrl-C, and minds no signal else.
    "claude": (
        "trap 'n=$((n+1)); [ $n = 2 ] && { echo left > $HOME/left; exit 0; }' INT; trap '' TERM; "
        + _FOR_EVER
    ),
    "told": f'printf "%s" "$GEMBA_PROMPT" > "$HOME/told"; {_FOR_EVER}',
    "listener": 'while read -r line; do echo "$line" >> "$HOME/heard"; done',
    "writer": f"echo more >> f; git add f; git commit -qm more; touch done; {_FOR_EVER}",
}


def make_project(folder: Path) -> Path:
    """A git repository with one commit, whose agents are those scripts."""
    (folder / ".gemba").mkdir(parents=True)
    (folder / "f").write_text("one\n")
    entries = []
    for name, script in SCRIPTS.items():
        program = folder / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        entries.append(f'[[agent]]\nname = "{name}"\nbinary = "{program}"\n')
    (folder / ".gemba" / "agents.toml").write_text("\n".join(entries))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "A Person")
    git(folder, "config", "user.email", "person@example.org")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def within(root: Path, action: Callable[[NativeAdaptor], Awaitable[T]], **how: Any) -> T:
    """What the action gives, done with an adaptor of its own for that project."""

    async def run() -> T:
        async with open_native(str(root), **how) as adaptor:
            return await action(adaptor)

    return asyncio.run(run())


async def started(
    adaptor: NativeAdaptor,
    agent: str = "idle",
    *,
    root: Path | None = None,
    kind: WorkspaceKind = WorkspaceKind.WORKTREE,
    text: str | None = None,
) -> Session:
    """A session of that agent; with `root`, in a workspace of that repository."""
    assignment = await adaptor.assign(agent)
    if root is not None:
        request = WorkspaceRequest(
            assignment_id=assignment.id, repository=str(root), preferred_kind=kind
        )
        await adaptor.acquire_workspace(request)
    return await adaptor.start_session(assignment.id, SessionPrompt(text=text))


async def ended(adaptor: NativeAdaptor, session_id: str) -> Session:
    """The session after a request to end it."""
    return await adaptor.end_session(session_id, SessionEndMode.COMPLETED, new_nonce())


@asynccontextmanager
async def seeing(
    adaptor: NativeAdaptor, filter: SubscribeFilter | None = None
) -> AsyncIterator[list[OrchestrationEvent]]:
    """What a subscriber sees while the block lasts, in a list that grows."""
    seen: list[OrchestrationEvent] = []
    async with adaptor.subscribe(filter or SubscribeFilter()) as events:

        async def read() -> None:
            async for event in events:
                seen.append(event)

        task = asyncio.create_task(read())
        try:
            yield seen
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def eventually(
    condition: Callable[[], T | Coroutine[Any, Any, T]], *, what: str, timeout: float = 20.0
) -> T:
    """The first true value of the condition, asked again and again in the event loop."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    while True:
        found = condition()
        value: T = await found if asyncio.iscoroutine(found) else found
        if value:
            return value
        assert loop.time() < deadline, f"waited {timeout:g} s for {what}; last seen: {value!r}"
        await asyncio.sleep(0.01)


def statuses(seen: list[OrchestrationEvent], session_id: str) -> list[str]:
    """The statuses that the session was seen in, in order."""
    transitions = [
        event
        for event in seen
        if event.kind is EventKind.SESSION_TRANSITION and event.session_id == session_id
    ]
    return [event.payload["after"]["status"] for event in transitions]


def agent(session_id: str) -> int:
    """The process of its agent."""
    found = agent_of(ledger.read(session_id, "session"))
    assert found is not None, f"no agent is known of {session_id}"
    return found[0]


def orphaned(root: Path, agent: str = "idle") -> str:
    """A session whose owner was killed while its agent runs."""
    script = (
        "import asyncio\n"
        "from gemba_core.orchestration.native.opening import open_native\n"
        "from gemba_core.orchestration.session import SessionPrompt\n"
        "async def main():\n"
        f"    async with open_native({str(root)!r}) as adaptor:\n"
        f"        id = (await adaptor.assign({agent!r})).id\n"
        "        await adaptor.start_session(id, SessionPrompt())\n"
        "        print(id, flush=True)\n"
        "        await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        id = process.stdout.readline().strip()
        process.kill()
    assert id
    return id


def kill(session_id: str) -> None:
    """End its agent from outside, and see it gone."""
    os.kill(agent(session_id), signal.SIGKILL)
    see_gone(session_id)


def leave(session_id: str, status: int) -> None:
    """Let its agent, a leaver, end by itself with that status, and see it gone."""
    Path(os.path.expanduser("~/leave")).write_text(str(status))
    see_gone(session_id)


def see_gone(session_id: str) -> None:
    """Wait for its agent's end."""
    found = agent_of(ledger.read(session_id, "session"))
    assert found is not None, f"no agent is known of {session_id}"
    wait_until(lambda: not is_alive(found), what=f"the end of {session_id}'s agent")


def hook(session_id: str, name: str, payload: str = "{}") -> None:
    """A hook of its agent."""
    run_cli("gemba-bridge", name, env={"GEMBA_SESSION_ID": session_id}, input=payload)


def ask(session_id: str, kind: str = "blocker") -> str:
    """Its agent needs a person; the escalation's id."""
    words = ("--kind", kind, "--role", "manager", "--text", "May I go on?")
    env = {"GEMBA_SESSION_ID": session_id, "GEMBA_INTERACTION_MODE": "balanced"}
    return run_cli("gemba-ask", *words, env=env).stdout.splitlines()[0]


def clear_away() -> None:
    """End whatever a test has left in its home: the server, and the processes of its sessions."""
    done = subprocess.run(
        ["tmux", "-S", kept_socket(), "kill-server"], capture_output=True, check=False
    )
    assert done.returncode in (0, 1)
    mark = b"GEMBA_HOME=" + os.fsencode(home.home())
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    os.kill(int(entry.name), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue


def processes(session_id: str) -> set[int]:
    """Those of the session."""
    return members(session_id)


def states(pids: set[int]) -> set[str]:
    """How the kernel calls what these processes do: T is stopped."""
    return {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in pids}
