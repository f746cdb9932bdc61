"""What stays running and tries held answers again: when, and how often it looks."""

from types import SimpleNamespace

import pytest

from gemba_core.frame.line import new_event_id
from gemba_core.inbox import deliver, held
from gemba_core.inbox.deliver import Report, tried
from gemba_core.inbox.held import Held
from gemba_core.inbox.opened import use_index
from gemba_core.index import Due, Index
from gemba_core.log import record
from gemba_core.panes import PaneAddress, look
from gemba_core.panes.look import Look
from tests.inbox.conftest import StartAgent
from tests.inbox.scene import answer, ask, delivery, hook, payloads
from tests.inbox.test_delivery import question_of


class Passes:
    """A deliverer whose passes over all logs come when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tried: list[str] = []
        self.now = 0.0
        self._held = Held()

        def counted(index: Index, due: Due) -> Report:
            self.tried += due.escalation_ids
            return tried(index, due)

        monkeypatch.setattr(held, "tried", counted)
        monkeypatch.setattr(held, "time", SimpleNamespace(monotonic=lambda: self.now))

    def run(self, logs: set[str] | None = None, *, after: float = 0.0) -> list[str]:
        """One pass, so many seconds after the last one; the escalations whose answer was tried."""
        self.now += after
        self.tried = []
        use_index(lambda index: self._held.deliver(index, logs))
        return self.tried


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Passes:
    """Its passes, and a clock that stands still in between."""
    return Passes(monkeypatch)


def settled_in_log(passes: Passes) -> str:
    """An answer that no pane takes, after the passes that its own frame in the log costs."""
    item = ask()
    answer(item)
    assert passes.run() == [item]
    assert delivery(item)[0] == "held"
    assert passes.run() == [item]
    return item


def test_a_held_answer_rests_as_long_as_its_log_does(passes: Passes) -> None:
    """Only at first it is tried again soon, then with longer pauses, up to a bound."""
    item = settled_in_log(passes)
    tried_at = [at for at in range(5, 301, 5) if passes.run(after=5) == [item]]
    pauses = [late - early for early, late in zip([0, *tried_at], tried_at, strict=False)]
    assert pauses[:4] == [5, 10, 20, 30]
    assert set(pauses[3:]) == {30}


def test_it_is_tried_at_once_when_its_log_has_grown(passes: Passes) -> None:
    """Whether the file system told of it, or only the full pass sees it."""
    item = settled_in_log(passes)
    assert passes.run() == []
    assert passes.run({"s1"}) == [item]
    assert passes.run({"s2"}) == []
    hook("GembaState", state="prompting")
    assert passes.run() == [item]


def test_an_answer_that_is_new_rests_with_no_other(passes: Passes) -> None:
    """It is tried in the next pass."""
    settled_in_log(passes)
    other = ask("And now?", "s2")
    answer(other)
    assert passes.run() == [other]


def test_a_pane_is_looked_at_once_in_a_pass(
    passes: Passes, start_agent: StartAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its other held answers wait with the first, which is typed as soon as it can be."""
    agent = start_agent("codex")
    agent.server.run("copy-mode", "-t", agent.pane.pane_id)
    items = [question_of(agent), agent.asks_on()]
    for item in items:
        answer(item)
    looks: list[PaneAddress] = []

    def seen(address: PaneAddress) -> Look:
        looks.append(address)
        return look(address)

    monkeypatch.setattr(deliver, "look", seen)
    passes.run()
    assert [delivery(item)[0] for item in items] == ["held", "held"]
    looks.clear()
    assert passes.run(after=5) == items[:1]
    assert len(looks) == 1
    agent.server.run("send-keys", "-t", agent.pane.pane_id, "-X", "cancel")
    passes.run(after=30)
    assert agent.tells("submitted") == "blue"


def test_sessions_whose_logs_hold_the_same_ids_are_told_apart(passes: Passes) -> None:
    """As copied logs do: each answer is brought to its own agent."""
    item = new_event_id()
    for number in range(15):
        session = f"copy-{number}"
        asked: dict[str, object] = {
            "kind": "question",
            "role": "coach",
            "text": "Which?",
            "mode": "balanced",
        }
        record(session, "GembaAsk", asked, agent_type="", event_id=item, sync=False)
        hook(
            "GembaResolve",
            session,
            escalation_ids=[item],
            resolution_id="r",
            kind="approve",
            resolved_by="anna",
            nonce="n",
            via="cli",
        )
    assert len(passes.run()) == 15
    assert payloads("GembaDelivery", "copy-14")[0]["status"] == "held"
