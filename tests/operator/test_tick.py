"""gemba tick: what time has made due, applied once by whoever is there."""

import pytest

from gemba_core.frame.line import timestamp
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.tick import Ticked, tick
from gemba_core.index import Index
from tests.inbox.scene import (
    answer,
    ask,
    frames,
    hook,
    log_bytes,
    payloads,
    reopen,
    resolution,
    shown,
)
from tests.operator.desk import gemba, told

PAST = "2020-01-01T00:00:00Z"
FUTURE = timestamp(4_000_000_000 * 1_000_000_000)


def test_a_deadline_with_cancel_expires() -> None:
    """The frame says so, and a second tick adds nothing."""
    item = ask(deadline=PAST, on_expiry="cancel")
    assert told("tick") == {"expired": 1, "defaulted": 0, "uncertain": 0}
    assert shown(item).state == "expired"
    before = log_bytes()
    assert told("tick")["expired"] == 0
    assert log_bytes() == before


def test_a_deadline_with_a_default_is_answered_by_policy() -> None:
    """The declared default reaches the agent as any answer does; the record tells who it was."""
    item = ask(deadline=PAST, on_expiry="default=the test key")
    assert told("tick")["defaulted"] == 1
    resolution = shown(item).resolution
    assert resolution is not None
    assert (resolution.kind, resolution.value) == ("modify", "the test key")
    assert (resolution.resolved_by, resolution.via) == ("policy", "policy")
    assert shown(item).delivery is not None


@pytest.mark.parametrize(
    "declared",
    [
        {"deadline": FUTURE, "on_expiry": "cancel"},
        {"deadline": PAST},
        {"deadline": PAST, "on_expiry": "wait"},
        {"deadline": PAST, "on_expiry": "default="},
        {"deadline": PAST, "on_expiry": "default= \n"},
        {"deadline": PAST, "on_expiry": "default"},
        {"deadline": "tomorrow", "on_expiry": "cancel"},
        {"deadline": "2020-01-01T00:00:00", "on_expiry": "cancel"},
        {"on_expiry": "cancel"},
    ],
)
def test_what_is_not_due_or_not_declared_stays_open(declared: dict[str, str]) -> None:
    """A silence is never an answer."""
    item = ask(**declared)
    assert told("tick") == {"expired": 0, "defaulted": 0, "uncertain": 0}
    assert shown(item).state == "open"


def test_what_was_settled_before_its_deadline_keeps_its_answer() -> None:
    """The log's order decides."""
    item = ask(deadline=PAST, on_expiry="default=late")
    answer(item, value="in time")
    assert told("tick")["defaulted"] == 0
    assert resolution(item).value == "in time"


def test_a_delivery_whose_deliverer_is_gone_becomes_uncertain() -> None:
    """On the record, not only for the eye."""
    item = ask()
    [settled] = answer(item)
    hook(
        "GembaDelivery",
        resolution_id=settled.resolution_id,
        attempt=1,
        status="typed",
        by="gemba",
        lock="panes/nobody.lock",
    )
    assert told("tick")["uncertain"] == 1
    assert payloads("GembaDelivery")[-1]["status"] == "uncertain"


def test_the_counts_are_said() -> None:
    """In words."""
    ask(deadline=PAST, on_expiry="cancel")
    assert gemba("tick").stdout.startswith("1 expired, 0 got their declared default")


def test_listing_expires_nothing() -> None:
    """Passing time changes nothing until a frame says so."""
    ask(deadline=PAST, on_expiry="cancel")
    before = log_bytes()
    assert told("escalations", "list")[0]["state"] == "open"
    assert log_bytes() == before


def test_a_reopened_one_has_no_deadline_any_more() -> None:
    """A person has it in hand; else it would expire before they could answer."""
    item = ask(deadline=PAST, on_expiry="cancel")
    assert told("tick")["expired"] == 1
    reopen(item)
    assert shown(item).deadline is None
    assert told("tick")["expired"] == 0
    assert shown(item).state == "open"


def test_a_claim_that_has_run_out_is_released() -> None:
    """The others see so without looking at a clock."""
    item = ask()
    hook("GembaClaim", escalation_id=item, by="anna", until=PAST)
    told("tick")
    assert shown(item).claimed_by is None
    assert payloads("GembaRelease") == [{"escalation_id": item, "by": "policy"}]


@pytest.mark.parametrize("on_expiry", ["cancel", "default=late"])
def test_an_answer_that_came_a_moment_before_wins(on_expiry: str) -> None:
    """The log is read to its end under its lock, whatever the index still says."""
    item = ask(deadline=PAST, on_expiry=on_expiry)

    def late(index: Index) -> Ticked:
        decision = {"resolution_id": "r", "nonce": "n", "resolved_by": "anna", "via": "cli"}
        hook("GembaResolve", escalation_ids=[item], kind="modify", value="in time", **decision)
        return tick(index)

    use_index(late)
    assert resolution(item).value == "in time"
    assert frames()[-1]["hook"] == "GembaResolve"
