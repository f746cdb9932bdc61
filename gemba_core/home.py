"""Where things live. With `caller` the only reader of the environment.

Standard library only, and little of it: every sentinel imports this.
"""

import os

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


def variable(name: str) -> str | None:
    """The variable as strict Unicode, None if empty: what could not be decoded is shown escaped."""
    value = os.environ.get(name)
    if not value:
        return None
    return os.fsencode(value).decode("utf-8", "backslashreplace")


def home() -> str:
    """`GEMBA_HOME`, else `~/.gemba`; absolute, not necessarily there."""
    return os.path.abspath(variable("GEMBA_HOME") or os.path.expanduser("~/.gemba"))


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
    return variable("GEMBA_SERVE_TOKEN")


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


def scoped_dir() -> str:
    """The folder of the marks of scoped sessions."""
    return os.path.join(home(), "scoped")


def scoped_path(session_id: str) -> str:
    """The file that says that the session runs or ran in a sandbox, where it can write its log."""
    return os.path.join(scoped_dir(), safe_id(session_id))


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
    return os.path.abspath(variable("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"))


def codex_dir() -> str:
    """Codex's own folder: `CODEX_HOME`, else `~/.codex`."""
    return os.path.abspath(variable("CODEX_HOME") or os.path.expanduser("~/.codex"))


def gemini_dir() -> str:
    """Gemini CLI's own folder."""
    return os.path.expanduser("~/.gemini")
