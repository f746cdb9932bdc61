"""GembaDelivery: one status that only rises."""

import itertools

import pytest

from gemba_core.frame.vocabulary import DELIVERED, DELIVERY_STATUSES
from gemba_core.translator.change import Delivered
from tests.builders import ask, delivery, hook, prompt, resolve, start, told

RESOLVED = told(ask(1), resolve(1))
ON_ITS_WAY = [status for status in DELIVERY_STATUSES if status not in DELIVERED]


@pytest.mark.parametrize(("before", "after"), list(itertools.product(ON_ITS_WAY, repeat=2)))
def test_a_status_never_goes_back_within_an_attempt(before: str, after: str) -> None:
    """It rises, or the frame is counted; held again, for another reason, is no step back."""
    first = RESOLVED if before == "queued" else RESOLVED.then(delivery(before))
    then = first.then(delivery(after))
    rises = ON_ITS_WAY.index(after) > ON_ITS_WAY.index(before)
    assert then.answer().status == (after if rises else before)
    if rises or before == after == "held":
        assert [change.status for change in then.of(Delivered)] == [after]
    else:
        assert then.drops == ["status_goes_back"]


@pytest.mark.parametrize(("end", "later"), list(itertools.product(DELIVERED, DELIVERY_STATUSES)))
def test_acknowledged_and_collected_absorb_everything(end: str, later: str) -> None:
    """Whatever is written afterwards, in this attempt or a later one."""
    arrived = RESOLVED.then(delivery("claimed"), delivery(end))
    assert not arrived.state.answers
    assert arrived.then(delivery(later), delivery(later, attempt=2)).drops == ["not_due"] * 2


@pytest.mark.parametrize("status", DELIVERED)
@pytest.mark.parametrize("before", ON_ITS_WAY)
def test_an_answer_that_arrived_has_arrived(before: str, status: str) -> None:
    """From any status, also after it was given up or believed lost."""
    first = RESOLVED if before == "queued" else RESOLVED.then(delivery(before))
    assert first.then(delivery(status)).of(Delivered)[0].status == status


@pytest.mark.parametrize("status", ON_ITS_WAY)
def test_a_new_attempt_begins_when_the_last_is_out_of_hands(status: str) -> None:
    """Not while a deliverer has claimed or typed it."""
    first = RESOLVED if status == "queued" else RESOLVED.then(delivery(status))
    then = first.then(delivery("queued", attempt=2))
    if status in ("claimed", "typed"):
        assert then.drops == ["status_goes_back"]
    else:
        assert (then.answer().status, then.answer().attempt) == ("queued", 2)
        assert then.then(delivery("claimed", attempt=1)).drops == ["status_goes_back"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (delivery("claimed", resolution="r9"), "not_due"),
        (delivery("lost"), "malformed"),
        (delivery("queued", attempt=3), "status_goes_back"),
        (delivery("collected", attempt=2**63), "malformed"),
        (delivery("claimed", attempt=-1), "malformed"),
    ],
)
def test_deliveries_that_cannot_be_are_dropped_with_their_reason(line: bytes, reason: str) -> None:
    """The answer is as it was."""
    after = RESOLVED.then(line)
    assert after.drops == [reason]
    assert after.state == RESOLVED.state


def test_a_claim_names_the_lock_of_its_deliverer() -> None:
    """Kept while it is in hand, gone afterwards."""
    claimed = RESOLVED.then(delivery("claimed", lock="panes/x.lock"))
    assert claimed.answer().lock == "panes/x.lock"
    assert claimed.then(delivery("failed", lock="panes/x.lock")).answer().lock is None


def test_what_the_agents_own_hook_printed_is_acknowledged_by_its_next_hook() -> None:
    """That one came after it: the agent has read the first."""
    given = told(start(), prompt("go"), ask(1), resolve(1)).then(
        delivery("claimed", by="hook"), delivery("submitted", by="hook")
    )
    after = given.then(hook("PreToolUse"))
    assert [change.status for change in after.of(Delivered)] == ["acknowledged"]
    assert not after.state.answers


def test_what_a_pane_was_given_needs_more_than_a_hook() -> None:
    """Only the text itself is the receipt of what was typed."""
    given = told(start(), prompt("go"), ask(1), resolve(1), delivery("submitted"))
    assert given.then(hook("PreToolUse")).answer().status == "submitted"


def test_a_child_agents_hook_is_no_receipt() -> None:
    """It has not read what the bound client's hook printed."""
    given = told(start(), prompt("go"), ask(1), resolve(1), delivery("submitted", by="hook"))
    assert given.then(hook("PreToolUse", client="child")).answer().status == "submitted"
