"""Where the agents of sessions run: in panes, each with a name of its own, kept by a server.

tmux is the one that is built (`tmux`). What else keeps panes (iTerm2, Terminal.app)
would stand behind the same Protocol.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pane:
    """One pane of ours.

    active_at  when it last printed something, in seconds of the epoch
    is_dead    its program has ended
    """

    name: str
    server_pid: int
    pane_id: str
    pid: int
    active_at: float
    is_dead: bool


class PaneServer(Protocol):
    """What keeps panes, running or not. Blocking: call it in a thread.

    Every method raises AdaptorError adaptor_degraded where it is out of reach.
    """

    @property
    def socket(self) -> str:
        """Where it is spoken to: hidden from the agents, and part of a return address."""
        ...

    def is_there(self) -> bool:
        """Whether this machine has it."""
        ...

    def open(self, session_id: str, argv: list[str], folder: str) -> Pane:
        """Start the program in a pane of its own; the pane stays when the program has ended.

        Raises AdaptorError process_failed where no pane opens.
        """
        ...

    def panes(self) -> dict[str, Pane]:
        """All of them, by their names; none where no server runs."""
        ...

    def transcript(self, session_id: str) -> str | None:
        """All that its pane shows and has kept; None where it is gone."""
        ...

    def press(self, session_id: str, key: str) -> None:
        """Press a key; nothing happens where the pane is gone."""
        ...

    def close(self, session_id: str) -> None:
        """Close its pane, if it is there. It is gone when this returns."""
        ...
