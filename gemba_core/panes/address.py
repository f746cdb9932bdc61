"""Which pane is meant, and which agent in it."""

import re
from dataclasses import dataclass

from gemba_core.errors import PaneError

_PANE_ID = re.compile(r"%[0-9]+", re.ASCII)


@dataclass(frozen=True)
class PaneAddress:
    """A pane of one life of one tmux server.

    After a restart and on a second server the first pane is `%0` again, so the
    server's process belongs to the address. `agent` is the process
    `(pid, started)` that asked, None where it is not known. `tmux_session`: only
    while the pane is in the session of that name, by its letters, digits, `-`, `_`.

    Raises PaneError for a pane id other than `%` and digits: addresses come
    out of logs and end up in tmux formats, which can run commands.
    """

    tmux_socket: str
    tmux_server_pid: int
    tmux_pane: str
    agent: tuple[int, int] | None
    tmux_session: str | None = None

    def __post_init__(self) -> None:
        if not _PANE_ID.fullmatch(self.tmux_pane):
            raise PaneError(f"not a tmux pane: {self.tmux_pane[:40]!r}; expected one like %42")

    @property
    def target(self) -> str:
        """The pane as tmux is to look for it."""
        session = "" if self.tmux_session is None else f"={self.tmux_session}:."
        return session + self.tmux_pane

    @property
    def key(self) -> str:
        """A file name without special characters, one for each pane of each server.

        A named session has one pane: its name stands for it, whatever pane is given.
        """
        if self.tmux_session is not None:
            return f"kept-{self.tmux_session}"
        return f"tmux-{self.tmux_server_pid}-{self.tmux_pane[1:]}"
