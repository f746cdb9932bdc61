"""`codex exec`: the agent asks, the operator answers, and the model has the answer."""

import time
from contextlib import closing

import pytest

from tests.clients.codex import FREE, VETTED, Codex, answer, answering, asking, delivery_of
from tests.clients.model import PAUSE, Model, run, say
from tests.waiting import wait_until

ANSWER = "green, as “on the door”"
LATE = 15.0


@pytest.mark.parametrize(
    "options",
    [(FREE,), ("--sandbox", "workspace-write"), ("-c", 'approval_policy="on-request"')],
    ids=["free", "sandboxed", "on request"],
)
def test_a_waiting_ask_gives_the_answer_to_the_model(
    codex: Codex, options: tuple[str, ...]
) -> None:
    """Its next request holds what the operator said, printed by the command and by nobody else."""
    codex.model.then(run(asking(wait="60s")))
    with codex.exec(*options) as process:
        item = codex.asked()
        answer(item.id, ANSWER)
        assert process.wait(30) == 0
    assert sum(ANSWER in text for text in codex.model.texts()) == 1
    assert delivery_of(item.id)["status"] == "collected"


@pytest.mark.torture
@pytest.mark.parametrize("yields", [10_000, 30_000], ids=["handed back", "in one call"])
def test_a_late_answer_reaches_the_model_too(codex: Codex, yields: int) -> None:
    """After 15 s the client has handed the call back by itself, unless it was told to wait."""
    codex.model.then(run(asking(wait="60s"), yield_time_ms=yields))
    with codex.exec(FREE) as process:
        item, asked = codex.asked(), time.monotonic()
        wait_until(lambda: time.monotonic() - asked > LATE, timeout=60, what="15 seconds")
        answer(item.id, ANSWER)
        assert process.wait(30) == 0
    assert sum(ANSWER in text for text in codex.model.texts()) == 1
    assert len(codex.model.requests) == (3 if yields < LATE * 1000 else 2)


def test_an_answer_in_mid_turn_comes_with_the_next_tool_call(codex: Codex) -> None:
    """The hook after that call hands it over once, and the hook after it is the receipt."""
    codex.model.then(run(asking()), PAUSE, run("true"), run("true"))
    with codex.exec(FREE) as process:
        item = codex.asked()
        with answering(item.id, ANSWER):
            codex.held()
            codex.model.go_on()
        assert process.wait(30) == 0
    assert sum(ANSWER in text for text in codex.model.texts()) == 1
    assert [ANSWER in str(request) for request in codex.model.requests] == [False] * 2 + [True] * 2
    assert delivery_of(item.id)["status"] == "acknowledged"


def test_an_answer_at_the_end_of_a_turn_makes_the_agent_go_on(codex: Codex) -> None:
    """The Stop is blocked with the answer as its reason, and the next Stop is the receipt."""
    codex.model.then(run(asking()), PAUSE, say("Done, I think."), say("Green, then."))
    with codex.exec(FREE) as process:
        item = codex.asked()
        with answering(item.id, ANSWER):
            codex.held()
            codex.model.go_on()
        assert process.wait(30) == 0
    assert sum(ANSWER in text for text in codex.model.texts()) == 1
    assert len(codex.model.requests) == 3
    assert delivery_of(item.id)["status"] == "acknowledged"


def test_a_nested_client_neither_ends_the_session_nor_answers(codex: Codex, program: str) -> None:
    """It inherits the session; its prompt, its Stop and its end change nothing."""
    with closing(Model()) as inner:
        settings = f"-c model_providers.scripted.base_url='\"{inner.url}\"'"
        nested = f"{program} exec {VETTED} --skip-git-repo-check {FREE} {settings} 'a child'"
        codex.model.then(run(asking()), run(f"{nested} </dev/null", yield_time_ms=30_000), PAUSE)
        with codex.exec(FREE) as process:
            item = codex.asked()
            wait_until(lambda: codex.model.is_thinking, timeout=60, what="the child's end")
            assert inner.prompts() == ["a child"]
            state = codex.state()
            assert (state.status, list(state.open)) == ("working", [item.id])
            with answering(item.id, ANSWER):
                codex.held()
                codex.model.go_on()
            assert process.wait(30) == 0
    assert sum(ANSWER in text for text in codex.model.texts()) == 1
    assert delivery_of(item.id)["status"] == "acknowledged"
