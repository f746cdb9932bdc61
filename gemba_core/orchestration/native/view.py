"""What a scoped program sees beside its workspace: what it needs of the person's, and no more."""

import os
import sys
from collections.abc import Iterable

import gemba_core
from gemba_core import home
from gemba_core.agents import Agent
from gemba_core.log import Log
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import places
from gemba_core.orchestration.native.bubblewrap import Mount, hidden, shown

# Below the home folder: where programs are installed, and git's own settings. No secrets lie there.
_TOOLS = (
    ".local/bin",
    ".local/share/claude",
    ".local/share/mise",
    ".local/share/pipx",
    ".local/share/uv",
    ".asdf",
    ".bun/bin",
    ".cargo/bin",
    ".npm-global",
    ".nvm",
    ".pyenv",
    ".rustup",
    ".volta",
    "go/bin",
    ".gitconfig",
    ".config/git/config",
    ".config/git/ignore",
)

# Within a client's folder: what it runs, or tells other agents, outside. The rest is its state.
_CLAUDE = ("settings.json", "CLAUDE.md", "agents", "commands", "hooks", "plugins", "skills")
_CODEX = ("config.toml", "hooks.json", "AGENTS.md", "prompts", "rules", "skills")
_GEMINI = ("settings.json", "GEMINI.md", "commands", "extensions", "policies")


def hides(sockets: Iterable[str] = ()) -> tuple[Mount, ...]:
    """The home folder, Gemba's, and the folders of tmux's sockets; `sockets` are others' paths."""
    folders = (
        *places.user_homes(),
        home.home(),
        *places.tmux_sockets(),
        *(os.path.dirname(os.path.abspath(one)) for one in sockets),
    )
    return tuple(hidden(one) for one in folders if os.path.isdir(one))


def tools() -> tuple[Mount, ...]:
    """Installed programs and git's settings, read-only; Gemba itself, wherever it is installed."""
    user = os.path.expanduser("~")
    package = os.path.dirname(os.path.dirname(os.path.abspath(gemba_core.__file__)))
    own = (sys.base_prefix, sys.prefix, package)
    return tuple(shown(one) for one in (*(os.path.join(user, one) for one in _TOOLS), *own))


def program(path: str) -> tuple[Mount, ...]:
    """A program, and the folder that it really lies in unless that holds the person's home."""
    folder = os.path.dirname(os.path.realpath(path))
    if any(places.is_within(one, folder) for one in (*places.user_homes(), home.home())):
        return (shown(path),)
    return (shown(path), shown(folder))


def client(agent: Agent) -> tuple[Mount, ...]:
    """The client's own state, writable, its settings read-only; and what the agent's entry names.

    Raises AdaptorError `validation` for a path in Gemba's own folder.
    """
    given = (
        *(shown(_allowed(one, agent)) for one in agent.readable),
        *(shown(_allowed(one, agent), is_writable=True) for one in agent.writable),
    )
    return (*_state(agent.client), *given)


def session(session_id: str) -> tuple[Mount, ...]:
    """Its own log and its folder of small files, writable; neither is there for other sessions.

    Makes both. Raises LogError, OSError.
    """
    own, log = home.own_dir(session_id), home.log_path(session_id)
    home.write_private(home.scoped_path(session_id), b"")
    home.make_private_dir(own)
    with Log(log):
        pass
    return (
        shown(log, is_writable=True),
        shown(own, is_writable=True),
        shown(os.path.dirname(home.surface_path(session_id))),
        shown(home.disabled_skills_path()),
    )


def _state(name: str) -> tuple[Mount, ...]:
    folders = {
        "claude": (home.claude_dir(), _CLAUDE),
        "codex": (home.codex_dir(), _CODEX),
        "gemini": (home.gemini_dir(), _GEMINI),
    }
    if name not in folders:
        return ()
    folder, settings = folders[name]
    beside = (os.path.expanduser("~/.claude.json"),) if name == "claude" else ()
    return (
        *(shown(one, is_writable=True) for one in (folder, *beside)),
        *(shown(os.path.join(folder, one)) for one in settings),
    )


def _allowed(path: str, agent: Agent) -> str:
    expanded = os.path.abspath(os.path.expanduser(path))
    own = os.path.realpath(home.home())
    if places.is_within(os.path.realpath(expanded), own):
        raise AdaptorError(
            ErrorKind.VALIDATION,
            f"agent {agent.name}: {path} lies in Gemba's own folder, which no agent sees; "
            "take it out of .gemba/agents.toml",
        )
    return expanded
