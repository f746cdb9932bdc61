"""Answers in a deliverer's hands: claimed before anything goes out, recorded after it.

The one place that writes GembaDelivery. Whoever dies between the claim and the
record leaves the answers uncertain: the lock that the claim names is then held
by nobody.
"""

import os
from collections.abc import Callable, Sequence

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.frame.vocabulary import DUE, IN_HAND
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import frame_line
from gemba_core.translator import SessionState
from gemba_core.translator.state import Answer


def delivery_line(
    session_id: str,
    resolution_id: str,
    attempt: int,
    status: str,
    *,
    by: str,
    detail: str | None = None,
    lock: str | None = None,
) -> bytes:
    """The frame that says how far the delivery of that resolution got."""
    payload: dict[str, object] = {
        "resolution_id": resolution_id,
        "attempt": attempt,
        "status": status,
        "by": by,
        "detail": detail,
        "lock": lock,
    }
    return frame_line(session_id, "GembaDelivery", payload)


def queued_again(session_id: str, resolution_id: str, attempt: int, *, by: str, why: str) -> bytes:
    """Nothing of it went out: that attempt failed, and the next one may begin.

    Both lines in one append: killed between two, it would stay failed, and
    nobody would try again.
    """
    failed = delivery_line(session_id, resolution_id, attempt, "failed", by=by, detail=why)
    return failed + delivery_line(session_id, resolution_id, attempt + 1, "queued", by=by)


class Handover:
    """Some answers on their way to their agent, by one process that holds `lock`."""

    def __init__(self, journal: Journal, by: str, lock: LifeLock) -> None:
        self._journal = journal
        self._by = by
        self._lock = os.path.relpath(lock.path, home.home())
        self._attempts: dict[str, int] = {}

    def claim(
        self, ids: Sequence[str], *, takes_over: Callable[[Answer], bool] = lambda _: False
    ) -> bool:
        """Claim these answers, all or none; whether they are ours.

        Those that nobody has in hand; another one, by a new attempt, where
        `takes_over` says so. Raises LogError.
        """

        def choose(state: SessionState) -> bytes | None:
            lines = b""
            for one in ids:
                answer = state.answers.get(one)
                if answer is None or not (answer.status in DUE or takes_over(answer)):
                    return None
                if answer.status in IN_HAND:
                    lines += self._line(
                        one, answer.attempt, "uncertain", detail="its deliverer is gone"
                    )
                attempt = self._attempts[one] = answer.attempt + (answer.status not in DUE)
                lines += self._line(one, attempt, "claimed", lock=self._lock)
            return lines

        return self._journal.append_if(choose)

    def print_out(self, data: bytes, done: str, *, again: bool = True) -> str | None:
        """`hand_out` to standard output. Raises LogError."""
        return self.hand_out(lambda: write_out(data), done, again=again)

    def hand_out(self, write: Callable[[], None], done: str, *, again: bool = True) -> str | None:
        """Have them written and record `done`; why they were not, where `write` raises GembaError.

        What did not go out at all is queued for another deliverer, and what
        did in part (NotWritten) is uncertain; without `again`, both have failed.
        Raises LogError.
        """
        try:
            write()
        except GembaError as error:
            failure = error
        else:
            self._record(lambda one, attempt: self._line(one, attempt, done))
            return None
        self._record(lambda one, attempt: self._lost(one, attempt, failure, again=again))
        return str(failure)

    def _lost(self, one: str, attempt: int, failure: GembaError, *, again: bool) -> bytes:
        why, session_id = str(failure), self._journal.session_id
        in_part = isinstance(failure, NotWritten) and failure.some
        if again and not in_part:
            return queued_again(session_id, one, attempt, by=self._by, why=why)
        return self._line(one, attempt, "uncertain" if again else "failed", detail=why)

    def _record(self, line: Callable[[str, int], bytes]) -> None:
        self._journal.append_if(
            lambda state: b"".join(
                line(one, attempt)
                for one, attempt in self._attempts.items()
                if one in state.answers
            )
        )

    def _line(
        self,
        resolution_id: str,
        attempt: int,
        status: str,
        *,
        detail: str | None = None,
        lock: str | None = None,
    ) -> bytes:
        return delivery_line(
            self._journal.session_id,
            resolution_id,
            attempt,
            status,
            by=self._by,
            detail=detail,
            lock=lock,
        )


class NotWritten(GembaError):
    """Standard output could not be written; `some` of it may have gone out."""

    def __init__(self, why: str, some: bool) -> None:
        super().__init__(why)
        self.some = some


def write_out(data: bytes) -> None:
    """Write all of it to standard output. Raises NotWritten."""
    written = 0
    try:
        while written < len(data):
            written += os.write(1, data[written:])
    except OSError as error:
        raise NotWritten(f"standard output: {error.strerror}", written > 0) from error
