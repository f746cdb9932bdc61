"""What to do next: each row of both tables, and each field that rides alongside.

Source: spec 001. The names of the tests are the rows.
"""

from typing import Any

import pytest

from gemba_core.handoff.decide import decide
from gemba_core.handoff.decision import Decision, Step
from gemba_core.handoff.history import History
from gemba_core.handoff.parse import Malformed, Missing, Returned
from gemba_core.handoff.validate import Context
from tests.handoff.contracts import (
    AGENT,
    GRANT,
    NEEDS,
    OTHER,
    PASSED,
    REQUEST,
    fields,
    report,
    returned,
    sound,
    without,
)

LOOP = {"iteration": 1, "max_iterations": 5, "metric": 0.5, "threshold": 0.9}


def alone(given: dict[str, Any] | Returned, history: History | None = None) -> Decision:
    """What is decided about one agent."""
    one = returned(given) if isinstance(given, dict) else given
    return decide([one], history)


def step(given: dict[str, Any] | Returned, history: History | None = None) -> Step:
    """The same, as far as that agent is concerned."""
    [one] = alone(given, history).steps
    return one


def in_turn(*rounds: dict[str, Any] | Returned, context: Context | None = None) -> list[str]:
    """What is done about one agent that returns these one after another."""
    history = History()
    done: list[str] = []
    for given in rounds:
        one = returned(given) if isinstance(given, dict) else given
        decision = decide([one], history, context=context)
        history = decision.history
        done += [step.action for step in decision.steps]
    return done


# The table "plan_status | Action".


def test_complete_of_one_agent_relays_its_own_summary() -> None:
    """Near verbatim, with the proof, and it is done."""
    decision = alone(sound("COMPLETE", user_facing_summary="The leak is mended."))
    assert decision.turn == "relay"
    assert [one.action for one in decision.steps] == ["close"]
    assert decision.summary is not None
    assert decision.summary.is_own
    assert decision.summary.words == "The leak is mended."
    assert decision.summary.verification == "- pass: 12 tests"


def test_complete_without_a_summary_tells_the_key_outputs() -> None:
    """At most five of them, and how many more there are."""
    outputs = [f"output {number}" for number in range(8)]
    given = sound("COMPLETE", evidence={"verification": PASSED, "key_outputs": outputs})
    summary = alone(given).summary
    assert summary is not None
    assert not summary.is_own
    points = summary.words.splitlines()
    assert points == [*(f"- output {number}" for number in range(5)), "- (3 more in key_outputs)"]


def test_complete_mentions_impacts_and_gaps_where_there_are_any() -> None:
    """Empty ones have no heading."""
    evidence = {"verification": PASSED, "cross_layer_impacts": ["docs"], "open_gaps": ["a flake"]}
    summary = alone(sound("COMPLETE", evidence=evidence)).summary
    assert summary is not None
    assert summary.text.endswith("Also affected:\n- docs\n\nStill open:\n- a flake")
    bare = alone(sound("COMPLETE")).summary
    assert bare is not None
    assert "affected" not in bare.text


@pytest.mark.parametrize("approval_id", [GRANT, None])
def test_approval_request_is_put_to_a_person(approval_id: str | None) -> None:
    """With a grant or without; how it is put is told by tests of the question."""
    one = step(sound("APPROVAL_REQUEST", approval_request={**REQUEST, "approval_id": approval_id}))
    assert (one.action, one.agent_id) == ("approve", AGENT)


def test_needs_input_is_put_to_a_person() -> None:
    """Nothing is told to the agent before that."""
    one = step(sound("NEEDS_INPUT"))
    assert (one.action, one.text) == ("ask", "")


def test_blocked_is_put_to_a_person() -> None:
    """Who directs or accepts."""
    assert step(sound("BLOCKED")).action == "block"


def test_in_progress_resumes_the_same_agent() -> None:
    """With its own next action and what it has still to do."""
    given = sound("IN_PROGRESS")
    given["agent_status"]["pending_steps"] = ["write", "test"]
    one = step(given)
    assert (one.action, one.agent_id) == ("resume", AGENT)
    assert all(said in one.text for said in ("the second half", "- write\n- test"))


def test_in_progress_a_third_time_in_a_row_is_a_stall() -> None:
    """Then it counts from the beginning: a person has looked at it."""
    going = sound("IN_PROGRESS")
    assert in_turn(*[going] * 4) == ["resume", "resume", "pause", "resume"]


def test_in_progress_that_is_broken_off_is_no_stall() -> None:
    """Consecutive ones alone count; a malformed return between them does not break them off."""
    going = sound("IN_PROGRESS")
    other = sound("NEEDS_INPUT")
    assert in_turn(going, going, other, going) == ["resume", "resume", "ask", "resume"]
    bad = Malformed("no JSON", 1)
    context = Context(AGENT)
    done = in_turn(going, bad, going, bad, going, context=context)
    assert done == ["resume", "repair", "resume", "repair", "pause"]


def test_needs_verification_is_never_complete() -> None:
    """Whatever it says of itself, another agent checks it."""
    decision = alone(fields("NEEDS_VERIFICATION", evidence=NEEDS["COMPLETE"]["evidence"]))
    [one] = decision.steps
    assert (one.action, decision.turn, decision.summary) == ("verify", "act", None)
    assert all(said in one.text for said in (AGENT, "- Mended", "COMPLETE"))


@pytest.mark.parametrize("status", ["DONE", "FAILED", "complete!", ""])
def test_any_other_status_goes_to_repair(status: str) -> None:
    """It is not guessed at."""
    one = step(fields(status, evidence=NEEDS["COMPLETE"]["evidence"]))
    assert (one.action, one.status) == ("repair", "")
    assert "PLAN_STATUS" in one.text


# The table "Situation | Action".


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Missing(), "CONTRACT_MISSING"),
        (Malformed("not valid JSON", 3), "CONTRACT_MALFORMED"),
        (without(sound("COMPLETE"), "evidence_report"), "EVIDENCE_REPORT"),
        (fields("COMPLETE"), "VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE"),
        (
            fields("COMPLETE", evidence={"verification": {"result": "fail"}}),
            "VERIFICATION_RESULT_MUST_BE_PASS",
        ),
        (
            sound("APPROVAL_REQUEST", approval_request=without(REQUEST, "rollback")),
            "APPROVAL_REQUEST_ROLLBACK_REQUIRED",
        ),
        (
            sound("APPROVAL_REQUEST", approval_request=without(REQUEST, "verification")),
            "APPROVAL_REQUEST_VERIFICATION_REQUIRED",
        ),
    ],
    ids=[
        "missing",
        "malformed",
        "incomplete",
        "complete without verification",
        "complete without a pass",
        "approval without rollback",
        "approval without verification",
    ],
)
def test_what_cannot_be_taken_is_repaired(given: dict[str, Any] | Returned, code: str) -> None:
    """The same agent is told all that is wrong; no status is made up, nothing is relayed."""
    decision = alone(given)
    [one] = decision.steps
    assert (one.action, one.status, decision.turn, decision.summary) == ("repair", "", "act", None)
    assert code in one.text
    assert "agent_contract_handoff" in one.text


def test_a_third_failed_repair_is_put_to_a_person() -> None:
    """Then it counts from the beginning."""
    assert in_turn(*[Missing()] * 4) == ["repair", "repair", "pause", "repair"]
    bad = fields("COMPLETE")
    assert in_turn(Missing(), bad, bad, context=Context(AGENT)) == ["repair", "repair", "pause"]


def test_an_agent_that_does_not_always_tell_its_id_is_repaired_twice_all_the_same() -> None:
    """In whichever order it tells it; who has told it in the same round is another one."""
    cut, bad = Malformed("no JSON", 1), fields("DONE")
    for rounds in ((cut, bad, cut, bad), (bad, cut, bad, cut), (cut, bad, bad), (bad, cut, cut)):
        assert in_turn(*rounds)[:4] == ["repair", "repair", "pause", "repair"][: len(rounds)]
    history = decide([returned(bad)]).history
    decision = decide([cut, returned(bad)], history)
    assert decision.history.of("?1").repairs == 1
    assert decision.history.of(AGENT).repairs == 2


def test_a_repair_that_helps_is_forgotten() -> None:
    """Only failures in a row count, whether or not the agent had told its id."""
    good, bad = sound("NEEDS_INPUT"), Missing()
    assert in_turn(bad, bad, good, bad, bad, bad) == [
        *("repair", "repair", "ask"),
        *("repair", "repair", "pause"),
    ]
    going = sound("IN_PROGRESS")
    done = in_turn(bad, bad, going, bad, context=Context(AGENT))
    assert done == ["repair", "repair", "resume", "repair"]


def test_a_repair_goes_to_the_agent_that_was_expected_where_it_has_not_told_its_id() -> None:
    """Else to whom the orchestrator has dispatched."""
    [one] = decide([Missing()], context=Context(OTHER)).steps
    assert one.agent_id == OTHER
    assert step(Missing()).agent_id is None
    assert step(fields("COMPLETE", agent="me")).agent_id is None


# What rides alongside.


def test_loop_state_below_its_threshold_holds_a_complete() -> None:
    """The same agent does the next iteration; nothing is relayed."""
    decision = alone(sound("COMPLETE", loop_state=LOOP, user_facing_summary="Done."))
    [one] = decision.steps
    assert (one.action, decision.turn, decision.summary) == ("resume", "act", None)
    assert "iteration 1 of 5, metric 0.5 below 0.9" in one.text


@pytest.mark.parametrize("change", [{"iteration": 5}, {"metric": 0.9}, {"threshold": None}])
def test_loop_state_that_does_not_hold_lets_a_complete_pass(change: dict[str, Any]) -> None:
    """At its last iteration, at its threshold, or where one of the four is not there."""
    assert step(sound("COMPLETE", loop_state=LOOP | change)).action == "close"


@pytest.mark.parametrize("change", [{"iteration": 1.0}, {"max_iterations": 5.0}])
def test_a_whole_number_is_one_however_it_is_written(change: dict[str, Any]) -> None:
    """JSON knows one kind of number."""
    assert step(sound("COMPLETE", loop_state=LOOP | change)).action == "resume"


@pytest.mark.parametrize(
    "loop", [*({**LOOP, name: "1"} for name in LOOP), {**LOOP, "iteration": 1.5}, [LOOP], "1 of 5"]
)
def test_a_loop_state_that_cannot_be_read_lets_no_complete_pass(loop: object) -> None:
    """Nobody can tell whether it holds."""
    one = step(sound("COMPLETE", loop_state=loop))
    assert one.action == "repair"
    assert "LOOP_STATE" in one.text
    assert step(sound("IN_PROGRESS", loop_state=loop)).action == "resume"


def test_a_loop_goes_on_as_long_as_its_iteration_rises() -> None:
    """One that does not count further is a stall like any other."""
    rising = [sound("COMPLETE", loop_state={**LOOP, "iteration": number}) for number in (1, 2, 3)]
    assert in_turn(*rising) == ["resume", "resume", "resume"]
    assert in_turn(*[rising[0]] * 4) == ["resume", "resume", "resume", "pause"]


@pytest.mark.parametrize("ownership", ["cross_surface_dependency", "not_my_surface"])
def test_ownership_of_another_surface_routes_in_silence(ownership: str) -> None:
    """Another dispatch closes the gap, and the user is not told why."""
    consolidation = report(ownership, next_best_agent="db-agent", open_gaps=["the schema"])
    decision = alone(sound("COMPLETE", consolidation_report=consolidation))
    assert decision.turn == "route"
    [route] = decision.routes
    assert (route.agent, route.why, route.about) == ("db-agent", ownership, "- the schema")
    assert decision.summary is not None
    assert ownership not in decision.summary.text
    assert "db-agent" not in decision.summary.text


def test_ownership_here_is_authoritative() -> None:
    """No other dispatch is needed."""
    given = sound("COMPLETE", consolidation_report=report(next_best_agent="reviewer"))
    assert alone(given).turn == "relay"


def test_conflicts_of_a_single_agent_route_the_next_round() -> None:
    """What it owns is authoritative, what it has found in conflict is not settled."""
    found = report(conflicts=["A says x, B says y"], next_best_agent="db-agent")
    decision = alone(sound("COMPLETE", consolidation_report=found))
    assert decision.turn == "route"
    [route] = decision.routes
    assert (route.agent, route.why, route.about) == (
        "db-agent",
        "conflicts",
        "- A says x, B says y",
    )


def test_an_unknown_ownership_routes_nothing() -> None:
    """It is told as a finding."""
    assert alone(sound("COMPLETE", consolidation_report=report("ours"))).turn == "relay"


def test_memory_suggestions_ride_along_one_by_one() -> None:
    """Of an agent that will return they wait until it does."""
    suggestions: dict[str, Any] = {
        "memorialize_suggestions": [
            {"description": "Use uv", "body": "pip is slow", "class": "anchor"},
            {"description": "", "body": "nothing"},
        ],
        "memory_suggestions": ["Tests need tmux", " "],
    }
    found = alone(sound("COMPLETE", **suggestions)).suggestions
    assert [(one.description, one.body) for one in found] == [
        ("Use uv", "pip is slow"),
        ("Tests need tmux", ""),
    ]
    assert found[0].entry == suggestions["memorialize_suggestions"][0]
    assert alone(sound("BLOCKED", **suggestions)).suggestions == found
    assert alone(sound("IN_PROGRESS", **suggestions)).suggestions == ()
    assert alone(fields("COMPLETE", **suggestions)).suggestions == ()
