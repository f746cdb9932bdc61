"""How long a waiting call may take with each client, and what to tell its agent.

Common agents kill a shell command after two minutes; Codex hands it back after
ten seconds and leaves it running. Source: integrations.md.
"""

from typing import NamedTuple

_DEFAULT = 110.0


class Patience(NamedTuple):
    """The default timeout in seconds, and the advice that is printed when a wait begins."""

    timeout: float
    advice: str


_CLIENTS = {
    "claude": Patience(
        _DEFAULT,
        "to wait longer, give the Bash tool a larger timeout (at most 600000 ms) and pass "
        "--timeout to match",
    ),
    "codex": Patience(
        _DEFAULT,
        "call this with yield_time_ms 30000; if the call is handed back with a session id, poll "
        "that session with write_stdin (empty chars, yield_time_ms 30000) until it has exited",
    ),
    "gemini": Patience(_DEFAULT, "to wait longer, raise the shell tool's timeout and --timeout"),
}
_ANY = Patience(
    _DEFAULT, "to wait longer, raise --timeout and the time after which your shell tool ends a call"
)


def patience_of(agent_type: str) -> Patience:
    """The client's row, or the one for any other."""
    return _CLIENTS.get(agent_type, _ANY)
