"""A session's log, folded as it stands and appended to by compare-and-set.

This is how an answer, a claim and an expiry are decided: under the log's lock
the log is read to its end, and the frame is written only if the folded state
still allows it. Source: architecture.md, "Locks, in their order".
"""

import os
from collections.abc import Callable

from msgspec.structs import replace

from gemba_core.errors import LogError
from gemba_core.home import LOG_SUFFIX, log_path
from gemba_core.log import LOCK_WAIT, Log
from gemba_core.tail import Position, open_log, position_at, read, still_holds
from gemba_core.translator import Change, SessionState, fold
from gemba_core.translator.change import Opened, Reopened, Resolved

Choose = Callable[[SessionState], bytes | None]


class Journal:
    """One session's log, followed in memory from its beginning or from a known state.

    `state` is the fold of all that was read; `opened` and `resolutions` what
    was asked and decided in it, by escalation. Use as a context manager; raises
    LogError.
    """

    def __init__(
        self,
        session_id: str,
        *,
        path: str | None = None,
        state: SessionState | None = None,
        position: Position | None = None,
    ) -> None:
        self.session_id = session_id
        self.path = path or log_path(session_id)
        self.opened: dict[str, Opened] = {}
        self.resolutions: dict[str, Resolved] = {}
        self._fd = open_log(self.path)
        if state is None or position is None or not self._holds(position):
            state, position = SessionState(session_id), Position()
        self._states = {session_id: state}
        self._position = position

    @property
    def state(self) -> SessionState:
        return self._states[self.session_id]

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @property
    def position(self) -> Position:
        """Where the next frame is read; to go on from later."""
        assert self._fd is not None
        return position_at(self._fd, self._position.offset, skipping=self._position.skipping)

    def advance(self) -> bool:
        """Read what is new; whether there was anything."""
        if self._fd is None:
            self._fd = open_log(self.path)
            if self._fd is None:
                return False
        if os.fstat(self._fd).st_size == self._position.offset:
            return False
        name = os.path.basename(self.path).removesuffix(LOG_SUFFIX)
        for batch in read(self._fd, self._position):
            fold(name, self._states, batch.frames, self._note)
            self._position = Position(batch.offset, skipping=batch.skipping)
        return True

    def append_if(self, choose: Choose) -> bool:
        """Under the log's lock: read to the end, let `choose` look, append what it gives.

        Whether `choose` agreed. Durable when this returns; raises LogError.
        """
        return append_all([(self, choose)])

    def begin_anew_unless(self, fd: int) -> None:
        """Forget all, if the log was replaced by that open file since it was read."""
        if self._fd is None or os.path.samestat(os.fstat(self._fd), os.fstat(fd)):
            return
        self.__exit__()
        self.opened.clear()
        self.resolutions.clear()
        self._states = {self.session_id: SessionState(self.session_id)}
        self._position = Position()

    def _holds(self, position: Position) -> bool:
        return self._fd is not None and still_holds(self._fd, position)

    def _note(self, _: SessionState, changes: tuple[Change, ...]) -> None:
        for change in changes:
            if type(change) is Resolved:
                self.resolutions[change.id] = change
            elif type(change) is Opened:
                self.opened[change.id] = change
            elif type(change) is Reopened and change.id in self.opened:
                # A person has it in hand: its deadline counts no more.
                self.opened[change.id] = replace(self.opened[change.id], deadline=None)


def append_all(choices: list[tuple[Journal, Choose]]) -> bool:
    """Decide for several logs at once: checked together under all locks, then written.

    A `choose` gives the lines for its log (none of them: empty). If any gives
    None or raises, nothing is written anywhere. The locks are taken in path
    order. Raises LogError.
    """
    logs: dict[str, Log] = {}
    try:
        # Two sessions may share a log, whose lock is to be had only once.
        for path in sorted({journal.path for journal, _ in choices}):
            log = logs[path] = Log(path)
            if not log.lock():
                raise LogError(
                    f"{path}: another process has held the lock for {LOCK_WAIT:.0f} s; try again"
                )
        lines = []
        for journal, choose in choices:
            # What is decided must be about the file that is appended to.
            journal.begin_anew_unless(logs[journal.path].fd)
            journal.advance()
            line = choose(journal.state)
            if line is None:
                return False
            lines.append(line)
        _write_all(
            [(logs[journal.path], line) for (journal, _), line in zip(choices, lines, strict=True)]
        )
        for log in logs.values():
            log.unlock()
            log.sync()
    finally:
        for log in logs.values():
            log.__exit__()
    for journal, _ in choices:
        journal.advance()
    return True


def _write_all(lines: list[tuple[Log, bytes]]) -> None:
    """Write them all or, where one cannot be written, none. Raises LogError."""
    written: list[tuple[Log, int, int]] = []
    try:
        for log, line in lines:
            if line:
                written.append((log, *log.write(line)))
    except LogError:
        for log, before, after in reversed(written):
            log.take_back(before, after)
        raise
