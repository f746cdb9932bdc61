"""What runs in a session's pane: it starts the agent, waits for it and ends with its status.

Run as a file of its own, with the standard library alone. It stays the agent's
parent because tmux wakes up its own children when they are stopped: an agent
could not be paused otherwise. The file named by the one argument says what to
start, as JSON {argv, environment, folder, own_pane}; in its place it then puts
{agent}, the process, or {error}, and beside it, as FILE.exit, how the agent ended:
tmux loses that now and then.
"""

import json
import os
import signal
import sys

# Keys of the terminal are the agent's: they come to us too.
_AGENTS_OWN = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU)
# What this interpreter ignores, and would hand on.
_OURS = (signal.SIGPIPE, signal.SIGXFSZ)


def main(path: str) -> int:
    """Give the agent's exit status, above 128 a signal's."""
    with open(path, encoding="utf-8") as file:
        launch = json.load(file)
    for number in _AGENTS_OWN:
        signal.signal(number, signal.SIG_IGN)
    heard, said = os.pipe()
    agent = os.fork()
    if agent == 0:
        _become(launch, said)
    os.close(said)
    # Closed by the exec, if that succeeds.
    with os.fdopen(heard, "rb") as pipe:
        problem = pipe.read().decode()
    _report(path, {"error": problem} if problem else {"agent": agent})
    _, status = os.waitpid(agent, 0)
    code = os.waitstatus_to_exitcode(status)
    # A signal that ended the agent becomes what a shell makes of it.
    code = 128 - code if code < 0 else code
    _report(f"{path}.exit", code)
    return code


def _become(launch: dict[str, object], said: int) -> None:
    argv, environment = launch["argv"], launch["environment"]
    assert isinstance(argv, list)
    assert isinstance(environment, dict)
    try:
        for number in (*_AGENTS_OWN, *_OURS):
            signal.signal(number, signal.SIG_DFL)
        own = ("TERM", "TMUX", "TMUX_PANE") if launch["own_pane"] else ("TERM",)
        environment = {**environment, **{name: os.environ[name] for name in own}}
        os.chdir(str(launch["folder"]))
        os.execvpe(argv[0], argv, environment)
    except BaseException as error:
        os.write(said, f"{argv[0]}: {error}".encode())
    finally:
        os._exit(127)


def _report(path: str, found: object) -> None:
    """All at once: whoever waits for it must not read half of it."""
    fresh = f"{path}.new"
    os.umask(0o077)
    with open(fresh, "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(fresh, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
