"""What was sent, by which rule and about which escalation: outside the index, which may be rebuilt.

An append-only file. A message is claimed, under the file's lock, before it is
sent, and what became of it is recorded after. Whoever dies in between leaves a
claim alone: it counts as sent, and is never repeated.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from gemba_core.errors import LogError
from gemba_core.frame.line import new_event_id
from gemba_core.home import write_private
from gemba_core.index import Escalation
from gemba_core.log import LOCK_WAIT, Log

# (rule, session id, escalation id)
_Key = tuple[str, str, str]
_LARGE = 256 * 1024
_DAY = 86_400 * 1_000_000
# What is older is forgotten, unless the escalation is still open.
_KEPT = 30 * _DAY


class _Record(Struct, frozen=True, omit_defaults=True):
    """One line: a claim (with rule and items), what became of it, or what older lines came to.

    `at` in microseconds since the epoch; an item is (session id, escalation id).
    """

    status: str
    at: int = 0
    message: str = ""
    rule: str = ""
    items: list[tuple[str, str]] = []
    told: list[tuple[str, str, str, int, int]] = []
    rules: dict[str, tuple[int, int, int]] = {}


@dataclass
class Sent:
    """What the file says. `claims` are the messages of which nobody has said what became."""

    claims: dict[str, _Record] = field(default_factory=dict)
    items: dict[_Key, tuple[int, int]] = field(default_factory=dict)
    # Of each rule: when it last sent, its failures since, and when the last of these was.
    rules: dict[str, tuple[int, int, int]] = field(default_factory=dict)

    def told(self, rule: str, session_id: str, escalation_id: str) -> tuple[int, int]:
        """How often that rule has told of it, and when it last did (microseconds)."""
        count, last = self.items.get((rule, session_id, escalation_id), (0, 0))
        for claim in self.claims.values():
            if claim.rule == rule and (session_id, escalation_id) in claim.items:
                count, last = count + 1, max(last, claim.at)
        return count, last

    def last(self, rule: str) -> int:
        """When that rule last sent something; 0: never."""
        claimed = [claim.at for claim in self.claims.values() if claim.rule == rule]
        return max([self.rules.get(rule, (0, 0, 0))[0], *claimed])

    def failures(self, rule: str) -> tuple[int, int]:
        """How often it has failed since it last did not, and when it last did."""
        _, count, at = self.rules.get(rule, (0, 0, 0))
        return count, at

    def add(self, record: _Record) -> None:
        """Go on by that line. One that makes no sense changes nothing."""
        if record.status == "claimed":
            self.claims[record.message] = record
        elif record.status == "before":
            for rule, session_id, escalation_id, count, last in record.told:
                self.items[rule, session_id, escalation_id] = (count, last)
            self.rules |= record.rules
        elif (claim := self.claims.pop(record.message, None)) is not None:
            self._settle(claim, record)

    def _settle(self, claim: _Record, record: _Record) -> None:
        last, failures, failed_at = self.rules.get(claim.rule, (0, 0, 0))
        if record.status == "failed":
            self.rules[claim.rule] = (last, failures + 1, record.at)
            return
        self.rules[claim.rule] = (max(last, claim.at), 0, failed_at)
        for item in claim.items:
            count, before = self.items.get((claim.rule, *item), (0, 0))
            self.items[claim.rule, *item] = (count + 1, max(before, claim.at))


Choose = Callable[[Sent], Sequence[Escalation]]


class Ledger:
    """The file at that path, made when something is first written to it. Raises LogError."""

    def __init__(self, path: str) -> None:
        self._path = path

    def sent(self) -> Sent:
        """What it says at this moment."""
        try:
            with open(self._path, "rb") as file:
                return _folded(file.read())
        except FileNotFoundError:
            return Sent()
        except OSError as error:
            raise LogError(f"{self._path}: {error.strerror}; notifications wait") from error

    def claim(
        self, rule: str, choose: Choose, *, now: int
    ) -> tuple[str, Sequence[Escalation]] | None:
        """Claim a message about what `choose` gives, looking at what was sent, under the lock.

        Its id and what it is about; None where there is nothing to send. Durable when
        this returns: of several processes one alone gets it.
        """
        with Log(self._path) as file:
            if not file.lock():
                raise LogError(f"{self._path}: locked for {LOCK_WAIT:.0f} s; notifications wait")
            sent = self.sent()
            items = choose(sent)
            if not items:
                return None
            named = [(item.session_id, item.id) for item in items]
            claim = _Record("claimed", now, new_event_id(), rule, named)
            file.write(_line(claim))
            file.sync()
        return claim.message, items

    def record(self, message: str, status: str, *, now: int) -> None:
        """What became of a claimed message: `sent` or `failed`."""
        with Log(self._path) as file:
            # Without the lock, too: a line lost would be a message that counts as uncertain.
            file.write(_line(_Record(status, now, message)), locked=file.lock())

    def compact(self, still_open: Iterable[Escalation], *, now: int) -> None:
        """Make a large file small: what is old and no longer open is forgotten."""
        if not self._is_large():
            return
        kept = {(item.session_id, item.id) for item in still_open}
        with Log(self._path) as file:
            if not file.lock():
                return
            sent = self.sent()
            for claim in [one for one in sent.claims.values() if one.at + _DAY < now]:
                sent.add(_Record("sent", now, claim.message))  # for all that is known
            told = [
                (*key, *value)
                for key, value in sent.items.items()
                if key[1:] in kept or value[1] + _KEPT > now
            ]
            records = [_Record("before", now, told=told, rules=sent.rules), *sent.claims.values()]
            try:
                # Whoever waits for the lock of the old file sees that it is gone, and opens this.
                write_private(self._path, b"".join(map(_line, records)))
            except OSError as error:
                raise LogError(f"{self._path}: {error.strerror}; it grows until then") from error

    def _is_large(self) -> bool:
        """By what came after its first line, which is all that compacting leaves."""
        try:
            with open(self._path, "rb") as file:
                if os.fstat(file.fileno()).st_size < _LARGE:
                    return False
                return os.fstat(file.fileno()).st_size - len(file.readline()) >= _LARGE
        except OSError:
            return False


def _folded(data: bytes) -> Sent:
    sent = Sent()
    for line in data.split(b"\n"):
        try:
            sent.add(_decode(line))
        except msgspec.MsgspecError:
            continue  # empty, or torn by a crash: it was never a whole claim
    return sent


def _line(record: _Record) -> bytes:
    return _encode(record) + b"\n"


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Record).decode
