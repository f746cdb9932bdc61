"""GembaAsk and GembaEscalate: what opens an escalation, folds into one, or is dropped."""

import pytest

from gemba_core.translator.change import AskedAgain, Opened
from tests.builders import (
    AT,
    address,
    ask,
    blocker,
    escalate,
    frame,
    id_of,
    report,
    resolve,
    start,
    told,
)

WELL = {"kind": "question", "role": "coach", "text": "Which?"}


def test_an_ask_opens_an_escalation() -> None:
    """Source is the kind, channel tool_call, urgency by the matrix; the id is the event's."""
    (opened,) = told(ask(1, "Which?", title="Colour", bead_id="gm-1")).of(Opened)
    assert (opened.id, opened.source, opened.channel) == (id_of(1), "question", "tool_call")
    assert (opened.urgency, opened.title, opened.prompt) == ("advisory", "Colour", "Which?")
    assert (opened.role, opened.bead_id, opened.at) == ("coach", "gm-1", AT)


@pytest.mark.parametrize(
    ("mode", "kind", "urgency"),
    [
        ("balanced", "question", "advisory"),
        ("balanced", "blocker", "blocking"),
        ("cautious", "question", "blocking"),
        ("cautious", "blocker", "blocking"),
        ("", "blocker", "blocking"),
    ],
)
def test_urgency_comes_from_mode_and_kind(mode: str, kind: str, urgency: str) -> None:
    """By the one matrix; without a mode it is balanced."""
    (opened,) = told(ask(1, role="manager", mode=mode, kind=kind)).of(Opened)
    assert opened.urgency == urgency


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (ask(1, mode="dangerous"), "mode_forbids"),
        (blocker(1, mode="dangerous"), "mode_forbids"),
        (ask(1, kind="blocker", role="coach"), "role_forbids"),
        (ask(1, " \r\n\x07"), "empty_text"),
        (ask(1, kind="wish"), "malformed"),
        (ask(1, role="king"), "malformed"),
        (ask(1, text=None), "malformed"),
        (ask(1, options="blue"), "malformed"),
        (ask(1, reply_to=address(2**63)), "malformed"),
        (frame("GembaAsk", WELL, id="ABCDEF0123456789"), "bad_event_id"),
        (frame("GembaAsk", WELL, id="12"), "bad_event_id"),
        (escalate(1, source="weather"), "malformed"),
        (escalate(1, urgency="odd"), "malformed"),
        (escalate(1, prompt=" "), "empty_text"),
    ],
)
def test_what_may_not_be_asked_is_dropped_with_its_reason(line: bytes, reason: str) -> None:
    """However the frame came to be; nothing is opened."""
    after = told(line)
    assert after.drops == [reason]
    assert not after.open


def test_an_event_opens_one_escalation_only() -> None:
    """The same frame again, as a copied log may hold it, is counted."""
    assert told(ask(1), ask(1)).drops == ["seen_before"]
    assert told(ask(1), escalate(1)).drops == ["seen_before"]


def test_an_equal_key_folds_into_the_open_escalation() -> None:
    """Asked again: counted, and the new event's id is an alias of the old one."""
    after = told(ask(1, key="k"), ask(2, "Again?", key="k"))
    assert after.of(AskedAgain) == [AskedAgain(id_of(1), id_of(2), AT)]
    assert after.open == {id_of(1)}
    assert after.escalation(2).id == id_of(1)
    assert after.then(ask(2)).drops == ["seen_before"]


def test_other_keys_equal_texts_and_settled_ones_do_not_fold() -> None:
    """Only an equal key in the same session, and only while that one is open."""
    after = told(ask(1, "Same?", key="k"), ask(2, "Same?", key="l"), ask(3, "Same?"), ask(4))
    assert len(after.of(Opened)) == 4
    assert len(told(ask(1, key="k"), resolve(1), ask(2, key="k")).of(Opened)) == 2


def test_options_have_their_value_as_label_where_none_is_given() -> None:
    """And stand in the order given."""
    options = [{"value": "b", "label": "Blue"}, {"value": "g"}]
    (opened,) = told(ask(1, options=options)).of(Opened)
    assert opened.options == (("b", "Blue"), ("g", "g"))


def test_the_return_address_is_the_asks_own_else_the_sessions() -> None:
    """As recorded at the session's start."""
    own, sessions = told(start(server=7), ask(1, reply_to=address(8)), ask(2)).of(Opened)
    assert '"tmux_server_pid":8' in str(own.reply_to)
    assert '"tmux_server_pid":7' in str(sessions.reply_to)


def test_the_work_item_is_the_asks_own_else_the_sessions() -> None:
    """An agent that reported its bead need not repeat it."""
    first, second = told(report("working", bead_id="gm-1"), ask(1), ask(2, bead_id="gm-2")).of(
        Opened
    )
    assert (first.bead_id, second.bead_id) == ("gm-1", "gm-2")


def test_escalate_opens_any_other_source() -> None:
    """As it says, with its detail."""
    (opened,) = told(escalate(1, source="a2a_input_required", detail={"a": [1]})).of(Opened)
    assert (opened.source, opened.urgency) == ("a2a_input_required", "blocking")
    assert opened.detail == {"a": [1]}
