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
    `(pid, started)` that asked, None where it is not known.

    Raises PaneError for a pane id other than `%` and digits: addresses come
    out of logs and end up in tmux formats, which can run commands.
    """

    tmux_socket: str
    tmux_server_pid: int
    tmux_pane: str
    agent: tuple[int, int] | None

    def __post_init__(self) -> None:
        if not _PANE_ID.fullmatch(self.tmux_pane):
            raise PaneError(f"not a tmux pane: {self.tmux_pane[:40]!r}; expected one like %42")

    @property
    def key(self) -> str:
        """A file name without special characters, one for each pane of each server."""
        return f"tmux-{self.tmux_server_pid}-{self.tmux_pane[1:]}"
