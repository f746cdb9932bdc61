"""GembaEscalate with a role, a key and a return address, as the fold reads it."""

import pytest

from gemba_core.translator.change import AskedAgain, Opened
from tests.builders import address, ask, escalate, frame, id_of, told


def test_its_role_is_kept_as_an_asks() -> None:
    """For whoever lists it."""
    [opened] = told(escalate(1, role="manager")).of(Opened)
    assert opened.role == "manager"


@pytest.mark.parametrize(
    ("more", "reason"),
    [({"role": "boss"}, "malformed"), ({"role": "coach", "source": "blocker"}, "role_forbids")],
)
def test_a_role_that_may_not_is_dropped(more: dict[str, str], reason: str) -> None:
    """As an ask of that role is."""
    assert told(escalate(1, **more)).drops == [reason]


def test_an_equal_key_is_the_same_escalation() -> None:
    """While that is open; its new id is an alias."""
    found = told(escalate(1, key="k"), escalate(2, key="k"), escalate(3, key="other"), escalate(4))
    assert found.open == {id_of(1), id_of(3), id_of(4)}
    [again] = found.of(AskedAgain)
    assert (again.id, again.alias) == (id_of(1), id_of(2))


def test_an_ask_and_an_escalation_share_their_keys() -> None:
    """One session, one set of keys."""
    assert told(ask(1, key="k"), escalate(2, key="k")).open == {id_of(1)}


def test_it_is_answered_at_its_own_address() -> None:
    """Else at the session's."""
    found = told(escalate(1, reply_to=address(7)), escalate(2))
    first, second = found.of(Opened)
    assert first.reply_to is not None
    assert '"tmux_server_pid":7' in first.reply_to
    assert second.reply_to == first.reply_to


def test_what_was_found_of_a_hand_off_changes_nothing() -> None:
    """It is kept for the record."""
    before = told(escalate(1))
    after = before.then(frame("GembaHandoff", {"agent_id": "a1b2c3", "findings": []}))
    assert (after.changes, after.state) == ((), before.state)
