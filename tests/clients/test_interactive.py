"""The interactive client in tmux: each answer arrives once, whole and unchanged."""

from itertools import count

import pytest

from gemba_core.frame.text import deliverable
from tests.clients.codex import FREE, ON_REQUEST, Codex, answer, answering, asking, delivery_of
from tests.clients.model import PAUSE, run, say
from tests.clients.replies import replies
from tests.commands import run_cli
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until

SAMPLE = pytest.param(5, id="sample")
ALL = pytest.param(100, id="all", marks=[pytest.mark.torture, pytest.mark.timeout(1800)])


@pytest.mark.parametrize("number", [SAMPLE, ALL])
def test_replies_to_an_idle_agent(codex: Codex, tmux: TmuxServer, number: int) -> None:
    """Each is typed, comes back in the agent's own prompt hook, and is a prompt of its own."""
    texts = replies(number)
    codex.model.then(*(step for _ in texts for step in (run(asking()), say("Tell me."))))
    codex.in_pane(tmux, FREE)
    asked = []
    for n, text in zip(count(1), texts, strict=False):
        item = codex.asked(n)
        codex.until("ready")
        answer(item.id, text)
        asked.append(item.id)
    codex.until("ready")
    assert [delivery_of(id)["status"] for id in asked] == ["acknowledged"] * number
    assert [deliverable(said) for said in codex.model.prompts()] == ["go", *map(deliverable, texts)]


@pytest.mark.parametrize("number", [SAMPLE, ALL])
def test_replies_to_a_busy_agent(codex: Codex, tmux: TmuxServer, number: int) -> None:
    """Each is handed over by the agent's own hooks, and nothing is typed."""
    texts = replies(number)
    codex.model.then(*(step for _ in texts for step in (run(asking()), PAUSE, run("true"))))
    codex.in_pane(tmux, FREE)
    asked = []
    for n, text in zip(count(1), texts, strict=False):
        item = codex.asked(n)
        wait_until(lambda: codex.model.is_thinking, what="the model's pause")
        with answering(item.id, text):
            codex.held()
            codex.model.go_on()
        asked.append(item.id)
    codex.until("ready")
    assert [delivery_of(id)["status"] for id in asked] == ["acknowledged"] * number
    assert codex.model.prompts() == ["go"]
    given = [said.partition("\n")[2] for said in codex.model.texts() if "operator's answer" in said]
    assert given == [deliverable(text) for text in texts]


def test_a_reply_that_its_hooks_do_not_take_waits_until_it_is_idle(
    codex: Codex, tmux: TmuxServer
) -> None:
    """It is too long for them: held while the turn runs, and then typed."""
    text = "\n".join(f"{n}. a row of a very long list" for n in range(400))
    codex.model.then(run(asking()), PAUSE, run("true"))
    codex.in_pane(tmux, FREE)
    item = codex.asked()
    with answering(item.id, text):
        codex.held()
        codex.model.go_on()
    codex.until("ready")
    run_cli("gemba", "deliver")
    wait_until(lambda: codex.model.prompts() == ["go", text], what="the prompt")
    codex.until("ready")
    assert delivery_of(item.id)["status"] == "acknowledged"


def test_a_reply_to_a_sandboxed_agent(codex: Codex, tmux: TmuxServer) -> None:
    """Its ask is made in a sandbox that hides the agent's process; the hooks have told it."""
    codex.model.then(run(asking()))
    codex.in_pane(tmux, *ON_REQUEST)
    item = codex.asked()
    codex.until("ready")
    answer(item.id, "Green.")
    wait_until(lambda: codex.model.prompts() == ["go", "Green."], what="the prompt")
    assert delivery_of(item.id)["status"] == "acknowledged"
