"""What was sent: claimed before, recorded after, outside the index."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from gemba_core.attention import ledger as under_test
from gemba_core.attention.ledger import Ledger, Sent
from gemba_core.index import Escalation
from gemba_core.log import Log
from tests.attention.test_plan import item

DAY = 86_400 * 1_000_000


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """One in a file of this test's own."""
    return Ledger(str(tmp_path / "notified.jsonl"))


def unless_told(*items: Escalation) -> under_test.Choose:
    """These, if the rule has told of none of them."""

    def choose(sent: Sent) -> Sequence[Escalation]:
        return [one for one in items if sent.told("r", one.session_id, one.id)[0] == 0]

    return choose


def claim(ledger: Ledger, *items: Escalation, now: int = 1) -> str:
    """Claim a message about these; its id."""
    claimed = ledger.claim("r", unless_told(*items), now=now)
    assert claimed is not None
    return claimed[0]


def test_a_claim_counts_before_anybody_knows_what_became_of_it(ledger: Ledger) -> None:
    """Whoever died between it and the record does not let it be sent twice."""
    claim(ledger, item("a"), now=7)
    assert ledger.sent().told("r", "s", "a") == (1, 7)
    assert ledger.sent().last("r") == 7
    assert ledger.claim("r", unless_told(item("a")), now=8) is None


def test_what_failed_does_not_count(ledger: Ledger) -> None:
    """But the failure does, until something was sent."""
    ledger.record(claim(ledger, item("a"), now=1), "failed", now=2)
    assert ledger.sent().told("r", "s", "a") == (0, 0)
    assert ledger.sent().failures("r") == (1, 2)
    ledger.record(claim(ledger, item("a"), now=3), "sent", now=4)
    assert ledger.sent().told("r", "s", "a") == (1, 3)
    assert ledger.sent().failures("r")[0] == 0


def test_a_failure_does_not_undo_an_earlier_message(ledger: Ledger) -> None:
    """A reminder that was not sent is tried again; the first message was."""
    ledger.record(claim(ledger, item("a"), now=1), "sent", now=2)
    second = ledger.claim("r", lambda _: [item("a")], now=3)
    assert second is not None
    ledger.record(second[0], "failed", now=4)
    assert ledger.sent().told("r", "s", "a") == (1, 1)
    assert ledger.sent().last("r") == 1


def test_of_many_at_once_one_gets_it(ledger: Ledger) -> None:
    """What is due is looked at again under the lock."""
    got: list[object] = []
    start = threading.Barrier(8)

    def run() -> None:
        start.wait()
        got.append(ledger.claim("r", unless_told(item("a")), now=1))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(one is not None for one in got) == 1


def test_a_torn_or_foreign_line_costs_only_itself(ledger: Ledger, tmp_path: Path) -> None:
    """A crash in the middle of a write, or a careless editor."""
    path = tmp_path / "notified.jsonl"
    ledger.record(claim(ledger, item("a")), "sent", now=2)
    with open(path, "ab") as file:
        file.write(b'[]\n{"status": 3}\n\xff\n{"status":"claimed","message":"x","ru')
    claim(ledger, item("b"))
    told = ledger.sent().told
    assert (told("r", "s", "a")[0], told("r", "s", "b")[0]) == (1, 1)
    assert oct(path.stat().st_mode)[-3:] == "600"


def test_compacting_keeps_what_is_open_and_what_is_young(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is both old and closed is forgotten; a large file gets small."""
    monkeypatch.setattr(under_test, "_LARGE", 2_000)
    for name in ("closed", "open"):
        ledger.record(claim(ledger, item(name), now=DAY), "sent", now=DAY)
    now = 100 * DAY
    for _ in range(20):
        ledger.record(claim(ledger, item("a"), now=now), "failed", now=now)
    ledger.record(claim(ledger, item("young"), now=now), "sent", now=now)
    claim(ledger, item("unknown"), now=now)
    path = tmp_path / "notified.jsonl"
    before = path.stat().st_size
    ledger.compact([item("open")], now=now)
    assert path.stat().st_size < before / 4
    told = ledger.sent().told
    counts = {one: told("r", "s", one)[0] for one in ("closed", "open", "young", "unknown")}
    assert counts == {"closed": 0, "open": 1, "young": 1, "unknown": 1}
    assert ledger.sent().failures("r") == (0, now)
    small = path.read_bytes()
    ledger.compact([], now=now)
    assert path.read_bytes() == small


def test_a_claim_that_waited_for_a_compaction_is_not_lost(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes into the file that is there now."""
    monkeypatch.setattr(under_test, "_LARGE", 1)
    claim(ledger, item("a"), now=1)
    with Log(str(tmp_path / "notified.jsonl")) as held:
        assert held.lock()
        waiting = threading.Thread(target=claim, args=(ledger, item("b")))
        waiting.start()
        data = (tmp_path / "notified.jsonl").read_bytes()
        (tmp_path / "fresh").write_bytes(data)
        (tmp_path / "fresh").rename(tmp_path / "notified.jsonl")
    waiting.join()
    told = ledger.sent().told
    assert (told("r", "s", "a")[0], told("r", "s", "b")[0]) == (1, 1)
