"""The acts that were done already, by their nonce: sent again, they are not done again.

An answer does not need this: its nonce is in the log, and holds over a restart.
The others' frames have none, so that this holds while the server runs.
"""

import threading
from collections import OrderedDict

_KEPT = 4096


class Once:
    """What was done lately."""

    def __init__(self) -> None:
        self._done: OrderedDict[tuple[str, ...], None] = OrderedDict()
        self._lock = threading.Lock()

    def is_done(self, nonce: str | None, *act: str) -> bool:
        """Whether that act was done with that nonce; never without one."""
        with self._lock:
            return nonce is not None and (nonce, *act) in self._done

    def add(self, nonce: str | None, *act: str) -> None:
        """It is done."""
        if nonce is None:
            return
        with self._lock:
            self._done[(nonce, *act)] = None
            if len(self._done) > _KEPT:
                self._done.popitem(last=False)
