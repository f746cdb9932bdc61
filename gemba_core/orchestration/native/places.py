"""Where what the native adaptor makes lies, and what of the person's own its agents do not see."""

import os
import pwd

from gemba_core import caller, home

LOCK_SUFFIX = ".lock"


def scopes_dir() -> str:
    """The folder of the lock files of those who keep sessions, one for each session."""
    return os.path.join(home.home(), "scopes")


def scope_lock_path(id: str) -> str:
    """The file whose lock says that somebody keeps that session."""
    return os.path.join(scopes_dir(), home.safe_id(id) + LOCK_SUFFIX)


def launch_path(id: str) -> str:
    """What that session's pane is to run; gone once it runs."""
    return os.path.join(scopes_dir(), home.safe_id(id) + ".launch")


def worktree_path(id: str) -> str:
    """The worktree of that assignment."""
    return os.path.join(home.home(), "worktrees", home.safe_id(id))


def records_dir() -> str:
    """The folder of the worktrees' records."""
    return os.path.join(home.home(), "gitdirs")


def record_dir(id: str) -> str:
    """The folder of what is known of that worktree, and of its own git folder."""
    return os.path.join(records_dir(), home.safe_id(id))


def scratch_path(id: str) -> str:
    """The empty folder of an assignment that has no worktree."""
    return os.path.join(home.home(), "workspaces", home.safe_id(id))


def kept_path(id: str) -> str:
    """Where that of a worktree is put which could not be saved to its branch."""
    return os.path.join(home.home(), "kept", home.safe_id(id))


def user_homes() -> tuple[str, ...]:
    """The person's home folder, as HOME says and as the system knows it; links resolved."""
    try:
        known = [pwd.getpwuid(os.getuid()).pw_dir]
    except KeyError:
        known = []
    return tuple(dict.fromkeys(os.path.realpath(one) for one in (os.path.expanduser("~"), *known)))


def tmux_sockets() -> tuple[str, ...]:
    """The folders in which tmux servers have their sockets: the usual one, and that around us."""
    root = caller.environment().get("TMUX_TMPDIR", "/tmp")
    own = caller.tmux_socket()
    return (
        os.path.join(root, f"tmux-{os.getuid()}"),
        *((os.path.dirname(own),) if own else ()),
    )


def is_within(path: str, folder: str) -> bool:
    """Whether the path is the folder or lies below it; both absolute, links resolved."""
    return os.path.commonpath((path, folder)) == folder
