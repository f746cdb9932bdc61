"""GembaResolve, GembaReopen, GembaCancel, GembaClaim, GembaRelease."""

import pytest

from gemba_core.translator.change import Claimed, Closed, Delivered, Reopened, Resolved
from tests.builders import (
    AT,
    act,
    ask,
    blocker,
    delivery,
    frame,
    hook,
    id_of,
    permission,
    prompt,
    report,
    resolve,
    start,
    told,
)


def test_the_first_resolution_wins() -> None:
    """A later one changes nothing and is counted."""
    after = told(ask(1), resolve(1), resolve(1, resolution="r2", value="green"))
    (resolved,) = after.of(Resolved)
    assert (resolved.value, resolved.by, resolved.via) == ("blue", "ann", "cli")
    assert after.drops == ["already_settled"]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("modify", " blue\r\n", "blue"),
        ("approve", None, "yes"),
        ("deny", None, "no"),
        ("approve", "with care", "with care"),
        ("deny", "too dear", "too dear"),
        ("approve", " ", "yes"),
        ("defer", None, None),
        ("defer", "later", None),
    ],
)
def test_what_reaches_the_agent(kind: str, value: str | None, text: str | None) -> None:
    """The value alone, else yes or no; of a deferred one nothing."""
    after = told(ask(1), resolve(1, kind=kind, value=value))
    assert [answer.text for answer in after.state.answers.values()] == ([text] if text else [])
    assert [change.status for change in after.of(Delivered)] == (["queued"] if text else [])
    assert not after.open


def test_a_dialogs_decision_is_no_text() -> None:
    """It is due to the waiting hook alone: no prompt is its receipt."""
    decided = told(start(), permission(1), resolve(1, kind="approve", value=None))
    assert decided.answer().text == ""
    assert not decided.then(prompt("yes")).of(Delivered)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (resolve(1, kind="maybe"), "malformed"),
        (resolve(), "malformed"),
        (resolve(1, value=None), "empty_text"),
        (resolve(1, value=" \r"), "empty_text"),
        (resolve(2), "unknown_escalation"),
        (frame("GembaResolve", {"escalation_ids": id_of(1)}), "malformed"),
        (act("GembaReopen", 2), "unknown_escalation"),
        (act("GembaReopen", 1), "already_open"),
        (act("GembaCancel", 2), "unknown_escalation"),
        (act("GembaClaim", 2), "not_open"),
        (frame("GembaReopen", {}), "malformed"),
        (frame("GembaCancel", {}), "malformed"),
        (frame("GembaClaim", {}), "malformed"),
    ],
)
def test_decisions_that_cannot_be_are_dropped_with_their_reason(line: bytes, reason: str) -> None:
    """The escalation stays open."""
    after = told(ask(1), line)
    assert after.drops == [reason]
    assert after.open == {id_of(1)}


def test_one_resolution_may_settle_several() -> None:
    """Each is resolved once; one answer is due, and those that were settled before are counted."""
    after = told(ask(1), ask(2), ask(3), act("GembaCancel", 2), resolve(3, 1, 2, 1))
    assert [change.id for change in after.of(Resolved)] == [id_of(3), id_of(1)]
    assert after.answer().escalation_ids == (id_of(3), id_of(1))
    assert after.drops == ["already_settled"]


def test_the_same_resolution_again_is_counted_once() -> None:
    """A retry after a crash finds its own."""
    assert told(ask(1), ask(2), resolve(1), resolve(2)).drops == ["seen_before"]


def test_an_alias_names_the_escalation() -> None:
    """Every decision accepts it."""
    after = told(ask(1, key="k"), ask(2, key="k"), resolve(2))
    assert [change.id for change in after.of(Resolved)] == [id_of(1)]


def test_reopening_starts_anew_and_voids_an_answer_that_nobody_has() -> None:
    """The next resolution is another one."""
    after = told(ask(1), resolve(1)).then(act("GembaReopen", 1))
    assert after.of(Reopened) == [Reopened(id_of(1), "ann", AT)]
    assert [(change.status, change.detail) for change in after.of(Delivered)] == [
        ("failed", "reopened")
    ]
    assert after.open == {id_of(1)}
    again = after.then(resolve(1, resolution="r2", value="green"))
    assert set(again.state.answers.keys()) == {"r2"}


def test_the_resolution_before_a_reopening_is_not_taken_again() -> None:
    """Sent once more it decides nothing, and beside another one that it never settled only that."""
    after = told(ask(1), ask(2), resolve(1)).then(act("GembaReopen", 1))
    again = after.then(resolve(1, 2))
    assert again.drops == ["seen_before"]
    assert again.open == {id_of(1)}


@pytest.mark.parametrize("status", ["queued", "held", "failed"])
def test_what_was_not_delivered_is_void_after_reopening(status: str) -> None:
    """The old text is not taken for a receipt: it answers the reopened ask."""
    lines = [] if status == "queued" else [delivery(status)]
    after = told(start(), ask(1), resolve(1), *lines, act("GembaReopen", 1))
    assert not after.state.answers
    assert after.then(prompt("blue")).of(Resolved)


@pytest.mark.parametrize("status", ["claimed", "typed", "submitted", "uncertain"])
def test_what_may_have_been_delivered_stays_after_reopening(status: str) -> None:
    """Its receipt is still awaited, and settles nothing else."""
    after = told(start(), ask(1), resolve(1), delivery(status), act("GembaReopen", 1))
    assert after.answer().status == status
    assert after.then(prompt("blue")).open == {id_of(1)}


def test_reopening_one_of_several_leaves_the_others_their_answer() -> None:
    """It is still due for those."""
    after = told(ask(1), ask(2), resolve(1, 2), act("GembaReopen", 1))
    assert after.answer().escalation_ids == (id_of(2),)
    assert not [change for change in after.of(Delivered) if change.status == "failed"]


def test_deferred_and_canceled_ones_can_be_reopened() -> None:
    """Whatever closed them."""
    for line in (resolve(1, kind="defer", value=None), act("GembaCancel", 1)):
        assert told(ask(1), line, act("GembaReopen", 1)).open == {id_of(1)}


@pytest.mark.parametrize(
    ("reason", "closed"),
    [
        (None, Closed(id_of(1), "canceled", "canceled", "ann", AT)),
        ("moot", Closed(id_of(1), "canceled", "moot", "ann", AT)),
        ("expired", Closed(id_of(1), "expired", "expired", "ann", AT)),
    ],
)
def test_cancel_closes_with_its_reason(reason: str | None, closed: Closed) -> None:
    """An expiry is a state of its own; either way a later answer is too late."""
    after = told(ask(1), act("GembaCancel", 1, reason=reason))
    assert after.changes[1:] == (closed,)
    assert after.then(resolve(1)).drops == ["already_settled"]
    assert after.then(act("GembaCancel", 1)).drops == ["already_settled"]


def test_claim_and_release() -> None:
    """Who looks after it, until when; then nobody."""
    claimed = told(ask(1), act("GembaClaim", 1, until="later"))
    assert claimed.of(Claimed) == [Claimed(id_of(1), "ann", "later")]
    assert claimed.then(act("GembaRelease", 1)).of(Claimed) == [Claimed(id_of(1), None, None)]
    assert claimed.then(resolve(1), act("GembaClaim", 1)).drops == ["not_open"]


def test_an_answered_blocker_lets_a_waiting_session_go_on_when_it_has_arrived() -> None:
    """Not before: the agent does not know it yet."""
    asked = told(start(), prompt("go"), blocker(1), report("prompting"), hook("Stop"), resolve(1))
    assert asked.state.status == "prompting"
    assert asked.then(delivery("claimed"), delivery("collected")).state.status == "working"
