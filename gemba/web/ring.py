"""The newest events, for all clients at once: each follows with a sequence of its own.

Bounded in number and in bytes, whatever clients there are: one that is too slow
finds its next event gone.
"""

from collections import deque

_MOST = 4096
_MOST_BYTES = 16 << 20


class Ring:
    """Encoded events by their sequence, which rises by one; `last` is that of the newest.

    A ring begins with a sequence that no earlier one had, so that an id of
    another start is known to be foreign.
    """

    def __init__(self, sequence: int, *, most: int = _MOST, most_bytes: int = _MOST_BYTES) -> None:
        self.last = sequence
        self._most, self._most_bytes = most, most_bytes
        self._events: deque[bytes] = deque()
        self._bytes = 0

    def add(self, event: bytes) -> None:
        """The newest event; the oldest ones go where there are too many."""
        self._events.append(event)
        self._bytes += len(event)
        self.last += 1
        while len(self._events) > self._most or (
            self._bytes > self._most_bytes and len(self._events) > 1
        ):
            self._bytes -= len(self._events.popleft())

    def clear(self) -> None:
        """Forget all; nobody can resume from before."""
        self._events.clear()
        self._bytes = 0

    def since(self, sequence: int) -> list[bytes] | None:
        """What came after that sequence, in order; None where some of it is gone, or not ours."""
        missing = self.last - sequence
        if not 0 <= missing <= len(self._events):
            return None
        return [self._events[-number] for number in range(missing, 0, -1)]
