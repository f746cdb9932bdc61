"""A session's pane, and its agent in it.

Blocking: call it in a thread.
"""

import json
import os
import sys
import time
from contextlib import suppress

from gemba_core import caller, home
from gemba_core.launch import Launch
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import enter, places
from gemba_core.orchestration.native.ledger import boundary
from gemba_core.orchestration.native.panes import PaneServer
from gemba_core.panes import PaneAddress, name_of
from gemba_core.processes import ancestry

# Seconds: for an interpreter to start on a busy machine.
_PATIENCE = 30.0
_POLL = 0.005
# Between two looks at whether the pane is still there.
_LOOK = 1.0


def open_pane(
    server: PaneServer, launch: Launch, argv: tuple[str, ...], folder: str, *, is_scoped: bool
) -> PaneAddress:
    """Start `argv` in the launch's environment, in a new pane; scoped, it does not know which.

    Gives the pane with the agent's process, which is None where that has ended
    already. Raises AdaptorError process_failed: then something may be left.
    """
    path = places.launch_path(launch.session_id)
    # An agent may have started us: its marks are not the new one's.
    inherited = {
        name: value
        for name, value in caller.environment().items()
        if name not in caller.AGENT_MARKS
    }
    spec = {
        "argv": argv,
        "environment": launch.environment(inherited, own_pane=False),
        "folder": folder,
        "own_pane": not is_scoped,
    }
    try:
        with boundary(ErrorKind.PROCESS_FAILED):
            home.write_private(path, json.dumps(spec).encode())
            words = [sys.executable, "-I", "-S", enter.__file__, path]
            pane = server.open(launch.session_id, words, folder)
            agent = _agent(server, launch.session_id, path)
        address = (server.socket, pane.server_pid, pane.pane_id)
        return PaneAddress(*address, next(iter(ancestry(agent)), None))
    finally:
        _remove(path)


def exit_status(session_id: str) -> int | None:
    """How its agent ended, above 128 by a signal; None where that was not said, or not yet."""
    try:
        with open(f"{places.launch_path(session_id)}.exit", encoding="utf-8") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


def forget(session_id: str) -> None:
    """Remove what its pane was to run, and what that said; also what a kill left half written."""
    folder, name = os.path.split(places.launch_path(session_id))
    with suppress(FileNotFoundError):
        for one in os.listdir(folder):
            if one == name or one.startswith(f"{name}."):
                _remove(os.path.join(folder, one))


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _agent(server: PaneServer, session_id: str, path: str) -> int:
    """The agent's process, as soon as it runs."""
    deadline = time.monotonic() + _PATIENCE
    looked = time.monotonic()
    while True:
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
        if "agent" in said:
            return int(said["agent"])
        if "error" in said:
            raise AdaptorError(
                ErrorKind.PROCESS_FAILED, f"the agent did not start: {said['error']}"
            )
        if time.monotonic() - looked > _LOOK:
            looked = time.monotonic()
            pane = server.panes().get(name_of(session_id))
            if pane is None or pane.is_dead:
                raise AdaptorError(
                    ErrorKind.PROCESS_FAILED, "its pane ended before the agent began"
                )
        if time.monotonic() >= deadline:
            raise AdaptorError(ErrorKind.PROCESS_FAILED, "its pane did not begin in time")
        time.sleep(_POLL)
