"""Who calls us: what the environment tells of the session, the agent, its terminal and the person.

Standard library only, and little of it: every sentinel imports this.
"""

import os

from gemba_core.errors import UsageError
from gemba_core.frame.vocabulary import DEFAULT_MODE, MODES
from gemba_core.home import agents_path, variable

# What the clients set in the environment of the tools that they run.
AGENT_MARKS = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "CURSOR_AGENT",
    "OPENCODE",
)


def session_id() -> str | None:
    """`GEMBA_SESSION_ID`, else `tmux:%N` from `TMUX_PANE`, else None."""
    given = variable("GEMBA_SESSION_ID")
    if given:
        return given
    pane = variable("TMUX_PANE")
    return f"tmux:{pane}" if pane else None


def required_session_id() -> str:
    """The session's id. Raises UsageError that says what to set."""
    found = session_id()
    if found is None:
        raise UsageError(
            "no session: neither GEMBA_SESSION_ID nor TMUX_PANE is set; "
            "set GEMBA_SESSION_ID to a name of your choice, or run inside tmux"
        )
    return found


def session_id_is_given() -> bool:
    """Whether GEMBA_SESSION_ID itself names the session (and not merely the pane)."""
    return bool(variable("GEMBA_SESSION_ID"))


def agent_type(default: str = "shell-only") -> str:
    """`GEMBA_AGENT_TYPE`, else what the client's own marks tell, else the default."""
    given = variable("GEMBA_AGENT_TYPE")
    if given:
        return given
    mark = agent_mark()
    return _CLIENT_OF_MARK.get(mark.partition("_")[0], default) if mark else default


_CLIENT_OF_MARK = {
    "CLAUDECODE": "claude",
    "CLAUDE": "claude",
    "CODEX": "codex",
    "GEMINI": "gemini",
    "CURSOR": "cursor",
    "OPENCODE": "opencode",
}


def agent_mark() -> str | None:
    """The first variable set by a client that runs us as its tool, if any."""
    return next((mark for mark in AGENT_MARKS if variable(mark)), None)


def hook_event() -> str | None:
    """`GEMBA_HOOK_EVENT`, the hook's name for the bridge."""
    return variable("GEMBA_HOOK_EVENT")


def answers_are_typed() -> bool:
    """Whether whoever runs this agent knows its pane, which it may not see itself."""
    return variable("GEMBA_ANSWERS") == "typed"


def workflow_action() -> str | None:
    """`GEMBA_WORKFLOW_ACTION`, the folder of the workflow's action that its agent works on."""
    return variable("GEMBA_WORKFLOW_ACTION")


def interaction_mode() -> tuple[str, str | None]:
    """The mode, and a line for standard error where it had to be assumed.

    `GEMBA_INTERACTION_MODE`, else the agent's entry in the workspace's
    `.gemba/agents.toml`, else `balanced`. Raises UsageError for a mode in the
    environment that does not exist.
    """
    given = variable("GEMBA_INTERACTION_MODE")
    if given:
        if given not in MODES:
            raise UsageError(
                f"GEMBA_INTERACTION_MODE is {given!r}; set it to {', '.join(MODES[:-1])} "
                f"or {MODES[-1]}"
            )
        return given, None
    agents = agents_path()
    if agents is None:
        return DEFAULT_MODE, f"no interaction mode is set: taking {DEFAULT_MODE}"
    # Imported here: only a workspace with agents.toml pays for tomllib.
    from gemba_core.settings import mode_of_agent

    mode, problem = mode_of_agent(agents, agent_type())
    return mode or DEFAULT_MODE, problem


def tmux_return_address() -> dict[str, object] | None:
    """`{tmux_socket, tmux_server_pid, tmux_pane}` of the pane that we run in, if any."""
    pane, tmux = variable("TMUX_PANE"), variable("TMUX")
    if not pane or not tmux:
        return None
    socket, _, rest = tmux.partition(",")
    pid = rest.partition(",")[0]
    if not pid.isdigit():
        return None
    return {"tmux_socket": socket, "tmux_server_pid": int(pid), "tmux_pane": pane}


def return_address() -> dict[str, object] | None:
    """That pane and, where it is known, the program in it that asks, as `agent`.

    None where there is no pane, and where a shell asks: it would run the answer as a command.
    """
    address = tmux_return_address()
    if address is None:
        return None
    # Imported here: without a pane nobody needs it.
    from gemba_core.processes import caller_ancestry, is_interactive_shell

    ancestry = caller_ancestry()
    if not ancestry:
        return address
    if is_interactive_shell(ancestry[0][0]):
        return None
    if address["tmux_server_pid"] not in [pid for pid, _ in ancestry]:
        return address  # in a sandbox, whose process ids mean nothing outside
    return {**address, "agent": ancestry[0]}


def tmux_socket() -> str | None:
    """The socket of the tmux server that we run in, if any."""
    tmux = variable("TMUX")
    return tmux.partition(",")[0] if tmux else None


def operator() -> str:
    """The login name of the person at this terminal."""
    # Imported here: the sentinels never ask.
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "operator"


def editor() -> str | None:
    """The person's editor."""
    return variable("VISUAL") or variable("EDITOR")


def program_folders() -> frozenset[str]:
    """The folders in which a shell finds programs."""
    usual = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")
    return frozenset((*usual, *(variable("PATH") or "").split(os.pathsep)))


def environment() -> dict[str, str]:
    """All of it, to be handed on to a program that we start or become."""
    return dict(os.environ)


def child_environment(session_id: str) -> dict[str, str]:
    """The environment for a sentinel of ours: a session of its own, and no pane."""
    kept = {name: value for name, value in os.environ.items() if name not in ("TMUX", "TMUX_PANE")}
    return {**kept, "GEMBA_SESSION_ID": session_id, "GEMBA_INTERACTION_MODE": DEFAULT_MODE}
