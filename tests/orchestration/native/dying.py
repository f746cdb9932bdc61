"""A process that acquires or releases a workspace and is killed at a step of that.

Run as a program: WHAT REPOSITORY STEP. Its steps are what it does to files, and the
programs that it starts. It exits with 0 where it came to its end before that step.
"""

import os
import signal
import sys

from gemba_core.orchestration.native import workspaces, worktree
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest

STEPS = frozenset(
    {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "shutil.copyfile"}
    | {"subprocess.Popen", "shutil.rmtree", "shutil.copytree"}
)


def main(what: str, repository: str, step: int) -> None:
    left = step

    def die(event: str, _: object) -> None:
        nonlocal left
        if event in STEPS:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    request = WorkspaceRequest(assignment_id="a1", repository=repository)
    workspaces.unavailable()
    sys.addaudithook(die)
    if what == "acquire":
        workspaces.acquire(request, WorkspaceKind.WORKTREE)
    else:
        worktree.release("a1")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
