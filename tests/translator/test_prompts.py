"""A prompt that the agent reports: echo, receipt, possible reply, or the person's answer."""

import hashlib

import pytest

from gemba_core.translator.change import Change, Delivered, PossibleReply, Resolved
from tests.builders import (
    AT,
    Told,
    act,
    ask,
    delivery,
    escalate,
    frame,
    hook,
    id_of,
    notification,
    permission,
    prompt,
    resolve,
    start,
    told,
)


def echo(text: str) -> bytes:
    """GembaEcho: Gemba is about to type this."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return frame("GembaEcho", {"text_sha256": digest, "length": len(text), "why": "start"})


def idle_with_ask(*more: bytes) -> Told:
    """A turn in which escalation 1 was asked has ended."""
    return told(start(), prompt("go"), ask(1), hook("Stop"), *more)


def acknowledged(resolution: str = "r1", attempt: int = 1) -> tuple[Change, ...]:
    """The one change that a receipt is."""
    return (Delivered(resolution, attempt, "acknowledged", AT, "prompt"),)


def test_a_prompt_answers_the_oldest_open_ask() -> None:
    """Resolved as modified, via pane, with the text; the prompt is the receipt too."""
    after = idle_with_ask(ask(2)).then(prompt(" blue\r\n"))
    (resolved,) = after.of(Resolved)
    assert (resolved.id, resolved.kind, resolved.value) == (id_of(1), "modify", "blue")
    assert resolved.via == "pane"
    assert [change.status for change in after.of(Delivered)] == ["acknowledged"]
    assert after.open == {id_of(2)}


def test_the_oldest_is_the_first_in_the_log() -> None:
    """Not the first by id or time."""
    assert told(start(), ask(9), ask(1), prompt("blue")).of(Resolved)[0].id == id_of(9)


def test_gemini_calls_a_prompt_before_agent() -> None:
    """Another name, the same meaning."""
    assert not told(start(), ask(1), hook("BeforeAgent", prompt="blue")).open


def test_a_prompt_without_text_answers_nothing() -> None:
    """A turn begins, and that is all."""
    for text in (None, "", " \n\x07"):
        after = idle_with_ask().then(prompt(text))
        assert not after.changes
        assert after.state.turn.open


def test_an_expected_echo_is_nobodys_answer() -> None:
    """Gemba typed it itself; the next text of that kind is the person's."""
    after = idle_with_ask(echo("start here")).then(prompt("start here\n"))
    assert not after.changes
    assert after.state.turn.open
    assert not after.then(hook("Stop"), prompt("start here")).open


def test_echoes_are_taken_one_by_one() -> None:
    """Two of the same text are expected twice."""
    after = idle_with_ask(echo("x"), echo("x")).then(prompt("x"), hook("Stop"), prompt("x"))
    assert after.open == {id_of(1)}


def test_an_echo_goes_before_a_receipt() -> None:
    """The order is the rule: the answer is still to be acknowledged."""
    after = idle_with_ask(resolve(1), echo("blue")).then(prompt("blue"))
    assert not after.changes
    assert after.answer().status == "queued"


@pytest.mark.parametrize(
    "way",
    [
        (),
        (delivery("held"),),
        (delivery("claimed"),),
        (delivery("claimed"), delivery("typed")),
        (delivery("claimed"), delivery("typed"), delivery("submitted")),
        (delivery("claimed"), delivery("uncertain")),
        (delivery("claimed"), delivery("failed")),
    ],
    ids=["queued", "held", "claimed", "typed", "submitted", "uncertain", "failed"],
)
def test_an_answers_text_is_its_receipt_and_nothing_else(way: tuple[bytes, ...]) -> None:
    """Whatever its status: the person may have typed it by hand. No other ask is settled."""
    after = idle_with_ask(ask(2), resolve(1), *way).then(prompt("blue\n"))
    assert after.changes == acknowledged()
    assert not after.state.answers
    assert after.open == {id_of(2)}


def test_of_two_equal_answers_the_older_is_acknowledged() -> None:
    """By their escalations' place in the log, not by when they were given."""
    after = idle_with_ask(ask(2), resolve(2, resolution="r2"), resolve(1)).then(prompt("blue"))
    assert after.changes == acknowledged("r1")


def test_a_text_that_contains_an_answer_in_flight_is_its_receipt() -> None:
    """A client may put words around it."""
    lines = (ask(2), resolve(1), delivery("claimed"), delivery("typed"))
    after = idle_with_ask(*lines).then(prompt("queued: blue!"))
    assert after.changes == acknowledged()
    assert after.open == {id_of(2)}


def test_a_text_that_contains_an_answer_not_in_flight_is_no_receipt() -> None:
    """Words that a person happened to use."""
    after = idle_with_ask(ask(2), resolve(1)).then(prompt("a blueprint"))
    assert [change.id for change in after.of(Resolved)] == [id_of(2)]
    assert after.answer().status == "queued"


def test_a_receipt_is_a_receipt_once() -> None:
    """The same words again are the person's own."""
    after = idle_with_ask(ask(2), resolve(1), prompt("blue"), hook("Stop"), prompt("blue"))
    assert not after.open


@pytest.mark.parametrize("status", ["claimed", "typed", "submitted"])
def test_while_a_delivery_is_in_flight_other_texts_settle_nothing(status: str) -> None:
    """What is typed now may be anything."""
    after = idle_with_ask(ask(2), resolve(1), delivery(status)).then(prompt("green"))
    assert not after.changes
    assert after.open == {id_of(2)}


def test_a_submitted_answer_is_out_of_flight_when_the_turn_ends() -> None:
    """An agent without receipts would hold up every later reply."""
    lines = (ask(2), resolve(1), delivery("submitted"), hook("Stop"))
    assert not idle_with_ask(*lines).then(prompt("green")).open


@pytest.mark.parametrize(
    "lines",
    [
        (prompt("go"), ask(1)),
        (prompt("go", turn="t1"), ask(1)),
        (prompt("go"), hook("PreToolUse"), ask(1), hook("PostToolUse")),
    ],
)
def test_a_prompt_in_the_turn_of_the_ask_is_a_possible_reply(lines: tuple[bytes, ...]) -> None:
    """It may have been queued before the question existed: kept with it, and nothing settled."""
    after = told(start(), *lines).then(prompt("blue", turn="t1"))
    assert after.changes == (PossibleReply(id_of(1), "blue"),)
    assert after.open == {id_of(1)}


def test_the_same_turn_id_is_the_same_turn_even_after_its_end() -> None:
    """The client's own word goes before what we saw."""
    asked = told(start(), prompt("go", turn="t1"), ask(1), hook("Stop", turn_id="t1"))
    assert asked.then(prompt("blue", turn="t1")).of(PossibleReply)
    assert asked.then(prompt("blue", turn="t2")).of(Resolved)


def test_after_an_interrupt_a_new_turn_id_tells_the_next_turn() -> None:
    """No hook tells of the interrupt, but the client names its turns."""
    asked = told(start(), prompt("go", turn="t1"), ask(1))
    assert asked.then(prompt("blue", turn="t2")).of(Resolved)


def test_after_an_interrupt_without_turn_ids_a_prompt_only_may_be_the_reply() -> None:
    """What is not known is not claimed; an idle notification makes it known."""
    asked = told(start(), prompt("go"), ask(1))
    assert asked.then(prompt("blue")).of(PossibleReply)
    assert asked.then(notification("idle_prompt"), prompt("blue")).of(Resolved)


def test_a_turn_that_no_prompt_began_does_not_hold_a_reply_back() -> None:
    """Gemba was hooked in while the agent ran: no prompt was seen, so this is the first."""
    asked = told(start(), hook("PreToolUse"), ask(1))
    assert asked.then(prompt("blue")).of(Resolved)


@pytest.mark.parametrize("line", [permission(2), notification("elicitation_dialog", id=2)])
def test_a_dialog_takes_no_prompt_as_its_value(line: bytes) -> None:
    """It is closed as decided in the pane; the ask takes the text."""
    after = idle_with_ask(line).then(prompt("blue"))
    assert [change.id for change in after.of(Resolved)] == [id_of(1)]
    assert after.escalation(2).state == "canceled"


def test_a_settled_ask_takes_no_prompt() -> None:
    """Answered, deferred and canceled ones are not open; without any, a prompt is just that."""
    for line in (resolve(1, kind="defer", value=None), act("GembaCancel", 1)):
        assert not idle_with_ask(line).then(prompt("green")).changes


def test_an_escalation_that_gemba_opened_takes_a_prompt() -> None:
    """Its channel is tool_call, as an ask's."""
    assert not told(start(), escalate(1), prompt("yes")).open


def test_a_deferred_answer_is_not_waited_for() -> None:
    """Nothing is on its way: the person's words reach the next ask."""
    after = idle_with_ask(ask(2), resolve(1, kind="defer", value="blue")).then(prompt("blue"))
    assert [change.id for change in after.of(Resolved)] == [id_of(2)]
