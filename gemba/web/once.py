"""The acts that were done already, by their nonce: sent again, they are not done again.

An answer does not need this: its nonce is in the log, and holds over a restart.
The others' frames have none, so that this holds while the server runs.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

_KEPT = 4096


@dataclass
class _Act:
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_done: bool = False


class Once:
    """What was done lately, and what is being done now."""

    def __init__(self) -> None:
        self._acts: OrderedDict[tuple[str, ...], _Act] = OrderedDict()
        self._lock = threading.Lock()

    def do(self, action: Callable[[], None], nonce: str | None, *act: str) -> None:
        """Do it, unless that act was done with that nonce; without one, always.

        While it is being done, whoever sends it again waits. What it raises is
        raised, and then it is not done.
        """
        if nonce is None:
            action()
            return
        known = self._known((nonce, *act))
        with known.lock:
            if not known.is_done:
                action()
                known.is_done = True

    def _known(self, key: tuple[str, ...]) -> _Act:
        with self._lock:
            found = self._acts.setdefault(key, _Act())
            if len(self._acts) > _KEPT:
                self._acts.popitem(last=False)
            return found
