"""Where things live, and the only reader of the environment.

Standard library only, and little of it: every sentinel imports this.
"""

import os

from gemba_core.errors import UsageError
from gemba_core.frame.vocabulary import DEFAULT_MODE, MODES

LOG_SUFFIX = ".jsonl"
WAIT_LOCK_SUFFIX = ".wait"
OFFER_SUFFIX = ".offer"
LEADS_SUFFIX = ".leads"
OWN_SUFFIX = ".own"
PANE_LOCK_SUFFIX = ".lock"
_MAX_ID = 180
_SAFE = bytes(
    code if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "._-") else ord("_")
    for code in range(256)
)

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


def home() -> str:
    """`GEMBA_HOME`, else `~/.gemba`; absolute, not necessarily there."""
    return os.path.abspath(_get("GEMBA_HOME") or os.path.expanduser("~/.gemba"))


def named_variable(name: str) -> str | None:
    """The variable that the operator's configuration names, for a secret."""
    return _get(name)


def given_home() -> str | None:
    """`GEMBA_HOME` as it is set, if it is."""
    return _get("GEMBA_HOME")


def sessions_dir() -> str:
    """The folder of the session logs."""
    return os.path.join(home(), "sessions")


def index_path() -> str:
    """The index database."""
    return os.path.join(home(), "index.db")


def config_path() -> str:
    """The operator's configuration."""
    return os.path.join(home(), "config.toml")


def work_path() -> str:
    """The embedded queue's database."""
    return os.path.join(home(), "work.db")


def reservations_lock_path() -> str:
    """The file whose lock is held while a work item is reserved."""
    return os.path.join(home(), "reservations.lock")


def beads_lock_path() -> str:
    """The file whose lock is held while an issue of Beads is claimed or given back."""
    return os.path.join(home(), "beads.lock")


def serve_token_path() -> str:
    """The token of the server that was started last."""
    return os.path.join(home(), "serve.token")


def serve_token() -> str | None:
    """`GEMBA_SERVE_TOKEN`, the token that a server is to take, if it is set."""
    return _get("GEMBA_SERVE_TOKEN")


def notified_path() -> str:
    """Which notifications were sent."""
    return os.path.join(home(), "notified.jsonl")


def panes_dir() -> str:
    """The folder of the lock files of deliverers, one for each pane."""
    return os.path.join(home(), "panes")


def installed_dir() -> str:
    """The folder of the records of what was installed into other programs' files."""
    return os.path.join(home(), "installed")


def pane_lock_path(pane: str) -> str:
    """The file whose lock says that a deliverer has that pane."""
    return os.path.join(panes_dir(), pane + PANE_LOCK_SUFFIX)


def safe_id(session_id: str) -> str:
    """The session id as a file name: each byte outside `[A-Za-z0-9._-]` becomes `_`.

    Longer than 180 bytes, it is cut there and gets `-` and 16 hex digits of
    its SHA-256. Source: wire.md, "The frame".
    """
    raw = session_id.encode("utf-8", "replace")
    name = raw[:_MAX_ID].translate(_SAFE).decode("ascii")
    if len(raw) > _MAX_ID:
        # Imported here: hashlib costs every hook call a fifth of its start-up.
        import hashlib

        name += "-" + hashlib.sha256(raw).hexdigest()[:16]
    return name


def log_path(session_id: str) -> str:
    """The log of that session."""
    return os.path.join(sessions_dir(), safe_id(session_id) + LOG_SUFFIX)


def wait_lock_path(session_id: str, escalation_id: str) -> str:
    """The file whose lock says that a `gemba-ask` waits for this escalation.

    It lies beside the log, since a sandboxed agent may write nowhere else.
    """
    name = f"{safe_id(session_id)}.{safe_id(escalation_id)}{WAIT_LOCK_SUFFIX}"
    return os.path.join(_beside(session_id), name)


def own_dir(session_id: str) -> str:
    """The folder that takes the small files of a scoped session, which sees only its own log."""
    return os.path.join(sessions_dir(), safe_id(session_id) + OWN_SUFFIX)


def _beside(session_id: str) -> str:
    """Where the session's small files lie: with all others, unless it has a folder of its own."""
    own = own_dir(session_id)
    return own if os.path.isdir(own) else sessions_dir()


def offer_path(session_id: str) -> str:
    """The file that lays out an answer for the agent's own hook, beside the log."""
    return os.path.join(_beside(session_id), safe_id(session_id) + OFFER_SUFFIX)


def leads_dir(session_id: str) -> str:
    """The folder, beside the log, that is there while a skill leads the session's turn."""
    return os.path.join(_beside(session_id), safe_id(session_id) + LEADS_SUFFIX)


def lead_path(session_id: str, client_id: str) -> str:
    """The file in it of that client: a child may have inherited the session."""
    return os.path.join(leads_dir(session_id), safe_id(client_id) + ".json")


def surface_path(session_id: str) -> str:
    """The file that names the folders that the session may read and write."""
    return os.path.join(home(), "surfaces", safe_id(session_id) + ".json")


def disabled_skills_path() -> str:
    """The names of the skills that are switched off."""
    return os.path.join(home(), "skills.toml")


def skill_cache_path(folder: str) -> str:
    """What was read of the skills in that folder."""
    return os.path.join(home(), "cache", safe_id(folder) + ".json")


def user_dir(relative: str) -> str:
    """`relative` below the person's home folder, or where that client's variable has put it."""
    own, _, rest = relative.partition("/")
    moved = {".gemba": home, ".claude": claude_dir, ".codex": codex_dir}
    folder = moved[own]() if own in moved else os.path.join(os.path.expanduser("~"), own)
    return os.path.join(folder, rest) if rest else folder


def write_private(path: str, data: bytes) -> None:
    """Put `data` in the file's place all at once, 0600. Raises OSError."""
    make_private_dir(os.path.dirname(path))
    fresh = f"{path}.{os.getpid()}"
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with open(fd, "wb") as file:
            file.write(data)
        os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise


def make_private_dir(path: str) -> None:
    """Make the folder and the one around it, each 0700 if it is new. Raises OSError."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def session_id() -> str | None:
    """`GEMBA_SESSION_ID`, else `tmux:%N` from `TMUX_PANE`, else None."""
    given = _get("GEMBA_SESSION_ID")
    if given:
        return given
    pane = _get("TMUX_PANE")
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
    return bool(_get("GEMBA_SESSION_ID"))


def agent_type(default: str = "shell-only") -> str:
    """`GEMBA_AGENT_TYPE`, else what the client's own marks tell, else the default."""
    given = _get("GEMBA_AGENT_TYPE")
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
    return next((mark for mark in AGENT_MARKS if _get(mark)), None)


def hook_event() -> str | None:
    """`GEMBA_HOOK_EVENT`, the hook's name for the bridge."""
    return _get("GEMBA_HOOK_EVENT")


def answers_are_typed() -> bool:
    """Whether whoever runs this agent knows its pane, which it may not see itself."""
    return _get("GEMBA_ANSWERS") == "typed"


def workflow_action() -> str | None:
    """`GEMBA_WORKFLOW_ACTION`, the folder of the workflow's action that its agent works on."""
    return _get("GEMBA_WORKFLOW_ACTION")


def interaction_mode() -> tuple[str, str | None]:
    """The mode, and a line for standard error where it had to be assumed.

    `GEMBA_INTERACTION_MODE`, else the agent's entry in the workspace's
    `.gemba/agents.toml`, else `balanced`. Raises UsageError for a mode in the
    environment that does not exist.
    """
    given = _get("GEMBA_INTERACTION_MODE")
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
    pane, tmux = _get("TMUX_PANE"), _get("TMUX")
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
    return _get("VISUAL") or _get("EDITOR")


def agents_path() -> str | None:
    """The workspace's `.gemba/agents.toml`: of this folder or the nearest one above that has it."""
    try:
        folder = os.getcwd()
    except OSError:
        return None  # the folder that we were started in is gone
    while True:
        path = os.path.join(folder, ".gemba", "agents.toml")
        if os.path.dirname(path) != home() and os.path.isfile(path):
            return path
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def claude_dir() -> str:
    """Claude Code's own folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return os.path.abspath(_get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"))


def codex_dir() -> str:
    """Codex's own folder: `CODEX_HOME`, else `~/.codex`."""
    return os.path.abspath(_get("CODEX_HOME") or os.path.expanduser("~/.codex"))


def gemini_dir() -> str:
    """Gemini CLI's own folder."""
    return os.path.expanduser("~/.gemini")


def program_folders() -> frozenset[str]:
    """The folders in which a shell finds programs."""
    usual = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")
    return frozenset((*usual, *(_get("PATH") or "").split(os.pathsep)))


def environment() -> dict[str, str]:
    """All of it, to be handed on to a program that we start or become."""
    return dict(os.environ)


def child_environment(session_id: str) -> dict[str, str]:
    """The environment for a sentinel of ours: a session of its own, and no pane."""
    kept = {name: value for name, value in os.environ.items() if name not in ("TMUX", "TMUX_PANE")}
    return {**kept, "GEMBA_SESSION_ID": session_id, "GEMBA_INTERACTION_MODE": DEFAULT_MODE}


def tmux_socket() -> str | None:
    """The socket of the tmux server that we run in, if any."""
    tmux = _get("TMUX")
    return tmux.partition(",")[0] if tmux else None


def _get(name: str) -> str | None:
    """The variable as strict Unicode: what could not be decoded is shown escaped."""
    value = os.environ.get(name)
    if not value:
        return None
    return os.fsencode(value).decode("utf-8", "backslashreplace")
