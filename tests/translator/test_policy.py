"""What policy decided: recorded with its value, told with words that no person would use."""

import pytest

from gemba_core.translator.change import Claimed, Resolved
from gemba_core.translator.decisions import BY_POLICY, answer_text
from tests.builders import Told, act, ask, frame, id_of, prompt, resolve, start, told

ASKED = told(start(), ask(1))


def by_policy(asked: Told = ASKED) -> Told:
    """The asked question gets its declared default."""
    decision: dict[str, object] = {
        "escalation_ids": [id_of(1)],
        "resolution_id": "r1",
        "nonce": "n",
    }
    decided = {"kind": "modify", "value": "blue", "resolved_by": "policy", "via": "policy"}
    return asked.then(frame("GembaResolve", decision | decided))


def test_the_record_has_the_value_alone() -> None:
    """And who it was."""
    [resolved] = by_policy().of(Resolved)
    assert (resolved.value, resolved.by, resolved.via) == ("blue", "policy", "policy")


def test_the_agent_is_told_that_no_person_answered() -> None:
    """In the text that is typed or handed over."""
    answer = by_policy().answer()
    assert answer.text == BY_POLICY + "blue"
    assert answer.by_policy
    assert "No person answered" in answer.text


@pytest.mark.parametrize("via", ["cli", "web", "pane", "agent", ""])
def test_what_a_person_or_an_agent_answered_is_told_as_it_is(via: str) -> None:
    """No framing."""
    assert answer_text("modify", "blue", via) == "blue"
    assert not ASKED.then(resolve(1)).answer().by_policy


def test_the_typed_text_is_its_own_receipt() -> None:
    """The prompt with the words in it is no answer of a person in the pane."""
    after = by_policy().then(prompt(BY_POLICY + "blue"))
    assert not after.state.answers
    assert after.of(Resolved) == []


def test_a_claim_is_remembered_until_it_ends() -> None:
    """With its time, which the fold does not judge."""
    claimed = ASKED.then(act("GembaClaim", 1, until="2030-01-01T00:00:00Z"))
    item = claimed.escalation(1)
    assert (item.claimed_by, item.claimed_until) == ("ann", "2030-01-01T00:00:00Z")
    assert claimed.of(Claimed) == [Claimed(id_of(1), "ann", "2030-01-01T00:00:00Z")]
    assert claimed.then(act("GembaRelease", 1)).escalation(1).claimed_by is None


@pytest.mark.parametrize("line", [resolve(1), act("GembaCancel", 1)], ids=["resolved", "canceled"])
def test_what_is_closed_nobody_looks_after(line: bytes) -> None:
    """Nor when it is opened again."""
    closed = ASKED.then(act("GembaClaim", 1)).then(line)
    assert closed.escalation(1).claimed_by is None
    assert closed.then(act("GembaReopen", 1)).escalation(1).claimed_by is None
