"""What is decided about several agents together."""

from typing import Any

import pytest

from gemba_core.handoff.decide import decide
from gemba_core.handoff.decision import Decision
from gemba_core.handoff.history import History
from gemba_core.handoff.parse import Missing, Returned
from tests.handoff.contracts import AGENT, OTHER, PASSED, fields, report, returned, sound


def test_several_agents_are_held_until_all_are_in() -> None:
    """Nothing is decided and nothing counted before."""
    history = History()
    decision = decide([returned(sound("IN_PROGRESS"))], history, in_flight=3)
    assert decision == Decision("hold", history, waiting_for=2)


def test_two_contracts_of_one_agent_are_one_agent() -> None:
    """The later one counts."""
    both = [returned(sound("IN_PROGRESS")), returned(sound("COMPLETE"))]
    assert decide(both, in_flight=2).waiting_for == 1
    assert [one.action for one in decide(both).steps] == ["close"]


def test_two_agents_that_have_not_told_their_ids_are_two() -> None:
    """Each is repaired by itself, also with the same wrong id."""
    wrong = returned(fields("COMPLETE", agent="<your id>"))
    decision = decide([wrong, wrong, Missing()], in_flight=3)
    assert [one.action for one in decision.steps] == ["repair"] * 3
    again = decide([wrong, wrong, Missing()], decision.history, in_flight=3)
    assert [one.action for one in decide([wrong] * 3, again.history).steps] == ["pause"] * 3


def complete(agent: str, *outputs: str, **more: Any) -> Returned:
    """A sound contract of that agent."""
    evidence = {"verification": PASSED, "key_outputs": list(outputs)}
    return returned(sound("COMPLETE", agent=agent, evidence=evidence, **more))


def test_several_complete_agents_have_one_synthesis() -> None:
    """Nobody's own summary speaks for all; each agent is in it, and nothing is said twice."""
    one = complete(AGENT, "a1", "a2", "a3", "a4", user_facing_summary="Mine alone.")
    two = complete(OTHER, "b1", "a2")
    decision = decide([one, two], in_flight=2)
    assert decision.turn == "relay"
    summary = decision.summary
    assert summary is not None
    assert "Mine alone" not in summary.text
    assert summary.words.splitlines() == ["- a1", "- b1", "- a2", "- a3", "- a4"]


def test_one_agent_that_is_not_done_holds_the_synthesis() -> None:
    """It is seen to, and the others are kept."""
    decision = decide([complete(AGENT, "a"), returned(sound("NEEDS_INPUT", agent=OTHER))])
    assert [one.action for one in decision.steps] == ["close", "ask"]
    assert (decision.turn, decision.summary) == ("act", None)


def test_conflicts_route_the_next_round() -> None:
    """Also where each agent owns what it did."""
    torn = complete(AGENT, "a", consolidation_report=report(conflicts=["port 80 or 443"]))
    decision = decide([torn, complete(OTHER, "b")])
    assert decision.turn == "route"
    [route] = decision.routes
    assert (route.agent, route.why, route.about) == (None, "conflicts", "- port 80 or 443")


@pytest.mark.parametrize(("wanted", "count"), [("reviewer", 1), ("none", 0), ("N/A", 0), ("", 0)])
def test_the_next_best_agent_routes_the_next_round(wanted: str, count: int) -> None:
    """Where it names one."""
    one = complete(AGENT, "a", consolidation_report=report(next_best_agent=wanted))
    assert len(decide([one, complete(OTHER, "b")]).routes) == count


def test_each_of_several_agents_has_its_own_count() -> None:
    """One that stalls does not take the others with it."""
    history = History()
    for _ in range(2):
        history = decide([returned(sound("IN_PROGRESS", agent=AGENT))], history).history
    both = [returned(sound("IN_PROGRESS", agent=agent)) for agent in (AGENT, OTHER)]
    assert [one.action for one in decide(both, history).steps] == ["pause", "resume"]
