"""Sending what is due: once from cron, or beside whoever follows the inbox."""

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from gemba_core import home
from gemba_core.attention import plan
from gemba_core.attention.address import address
from gemba_core.attention.ledger import Ledger, Sent
from gemba_core.attention.message import message
from gemba_core.attention.rule import Rule, load
from gemba_core.errors import GembaError
from gemba_core.index import Escalation, Filter, Index

# Seconds: what is open is looked up at most so often, and a send may take so long at the end.
_PAUSE = 1.0
_GRACE = 5.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one message; `why` it was not sent, if so."""

    rule: str
    escalation_ids: tuple[str, ...]
    why: str | None

    @property
    def problem(self) -> str | None:
        """What a person should know of it."""
        return f"notify {self.rule}: not sent ({self.why}); it is tried again" if self.why else None


class Sender:
    """Sends what the rules make due, a message at a time. `problems` are of rules that cannot."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.problems: set[str] = set()
        self._ledger = Ledger(home.notified_path())

    def next(self, items: Sequence[Escalation]) -> Outcome | None:
        """Send the next message about these, which are open; None: nothing is due now.

        Of several processes that do this one alone sends it. Raises LogError.
        """
        self._ledger.compact(items, now=_now())
        sent, now = self._ledger.sent(), _now()
        for rule in self.rules:
            if plan.due(rule, items, sent, now):
                outcome = self._sent(rule, items)
                if outcome is not None:
                    return outcome
        return None

    def _sent(self, rule: Rule, items: Sequence[Escalation]) -> Outcome | None:
        # Imported here: only what is due brings in the logging that comes with it.
        from gemba_core.attention.channel import Channel

        try:
            # Before the claim: whoever has not got the address leaves it to those who do.
            channel = Channel(rule.name, address(rule))
        except GembaError as error:
            self.problems.add(str(error))
            return None
        now = _now()

        def choose(sent: Sent) -> list[Escalation]:
            return plan.due(rule, items, sent, now)

        claimed = self._ledger.claim(rule.name, choose, now=now)
        if claimed is None:
            return None
        name, about = claimed
        why = channel.send(message(rule, about))
        self._ledger.record(name, "failed" if why else "sent", now=_now())
        return Outcome(rule.name, tuple(item.id for item in about), why)


class Notifier:
    """Sends in a thread of its own, beside whoever follows the inbox and calls `attend`.

    Nobody waits for a slow service. A send that is under way at the end gets a
    few seconds. Use as a context manager.
    """

    def __init__(self) -> None:
        self._rules: tuple[Rule, ...] = ()
        self._read_at: tuple[int, int] | None = None
        self._looked_at = float("-inf")
        self._items: Sequence[Escalation] = ()
        self._wake = threading.Event()
        self._ended = False
        self._problems: SimpleQueue[str] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def attend(self, index: Index) -> None:
        """Hand over what is open, at most once a second; problems are added to the index's."""
        if time.monotonic() - self._looked_at < _PAUSE:
            return
        self._looked_at = time.monotonic()
        self._read_rules()
        if self._rules:
            self._items = index.escalations(Filter())
            self._start()
            self._wake.set()
        while not self._problems.empty():
            index.problems.append(self._problems.get())

    def __enter__(self) -> "Notifier":
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_GRACE)

    def _read_rules(self) -> None:
        """Again where the file has changed; while it is wrong, what it said before counts."""
        path = home.config_path()
        changed = _changed_at(path)
        if changed == self._read_at:
            return
        self._read_at = changed
        try:
            self._rules = load(path)
        except (GembaError, OSError) as error:
            self._problems.put(str(error))

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="notifier", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._ended:
            self._wake.wait()
            self._wake.clear()
            try:
                self._send_all()
            except (GembaError, OSError) as error:
                self._problems.put(str(error))

    def _send_all(self) -> None:
        """All that is due; before each message it is looked at once more what is open."""
        sender = Sender(self._rules)
        while not self._ended and (outcome := sender.next(self._items)) is not None:
            if outcome.problem:
                self._problems.put(outcome.problem)
        for problem in sender.problems:
            self._problems.put(problem)


def _changed_at(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size


def _now() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1000
