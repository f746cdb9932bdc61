"""A process that keeps sessions, and is killed at some step of that.

Run as a program: ROOT STEP. It starts sessions with and without a workspace,
pauses, resumes and ends some of them. Its steps are what it does to files, locks
and processes. With STEP 0 it is never killed, and prints how many there are.
"""

import asyncio
import os
import signal
import sys

from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionEndMode, SessionPrompt
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest

_STEPS = frozenset(
    {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.kill"}
    | {"subprocess.Popen", "fcntl.flock", "shutil.rmtree"}
)


async def main(root: str) -> None:
    async with open_native(root) as adaptor:

        async def session(kind: WorkspaceKind | None, *, pauses: bool, ends: bool) -> None:
            id = (await adaptor.assign("idle")).id
            if kind is not None:
                request = WorkspaceRequest(assignment_id=id, repository=root, preferred_kind=kind)
                await adaptor.acquire_workspace(request)
            await adaptor.start_session(id, SessionPrompt())
            if pauses:
                await adaptor.pause_session(id, new_nonce())
            if ends:
                await adaptor.end_session(id, SessionEndMode.COMPLETED, new_nonce())

        await session(None, pauses=True, ends=False)
        await session(WorkspaceKind.WORKTREE, pauses=False, ends=True)
        await session(WorkspaceKind.SUBPROCESS, pauses=False, ends=False)


def die_at(step: int) -> None:
    """Kill this process at that step; at its end, say how many there were."""
    taken = 0

    def count(event: str, _: object) -> None:
        nonlocal taken
        if event in _STEPS:
            taken += 1
            if taken == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    asyncio.run(main(sys.argv[1]))
    print(taken)


if __name__ == "__main__":
    die_at(int(sys.argv[2]))
