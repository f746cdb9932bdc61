"""What is wrong with a contract: every rule, its code, its place, its severity."""

from typing import Any

import pytest

from gemba_core.handoff.contract import ConsolidationReport, EvidenceReport
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.parse import Malformed, Missing
from gemba_core.handoff.validate import Context, is_blocked, validate
from tests.handoff.contracts import GRANT, NEEDS, OTHER, REQUEST, fields, returned, sound, without

BLOCKING, ADVISORY = "blocking", "advisory"
OTHERS = Context(consolidation=True)
REPORT: dict[str, Any] = {
    **{name: [] for name in ConsolidationReport.required},
    "ownership_assessment": "owned_here",
    "next_best_agent": None,
}
LOOP = {"iteration": 1, "max_iterations": 3, "metric": 0.5, "threshold": 0.9}


def found(given: dict[str, Any], context: Context | None = None) -> list[tuple[str, str, str]]:
    """Code, field and severity of each finding."""
    findings = validate(returned(given), context)
    assert all(one.detail for one in findings)
    return [(one.code, one.field, one.severity) for one in findings]


@pytest.mark.parametrize("status", NEEDS)
def test_a_sound_contract_has_no_finding(status: str) -> None:
    """One of each status."""
    assert found(sound(status)) == []


def test_a_missing_contract_is_one_finding() -> None:
    """It has nothing that could be wrong by itself."""
    [one] = validate(Missing())
    assert (one.code, one.severity) == ("CONTRACT_MISSING", BLOCKING)


def test_a_malformed_contract_is_one_finding() -> None:
    """With its line, and why."""
    assert validate(Malformed("not valid JSON: …", 7)) == [
        Finding("CONTRACT_MALFORMED", "", "line 7: not valid JSON: …")
    ]


_STATUS = ("plan_status", "agent_id", "pending_steps", "next_action")


@pytest.mark.parametrize(
    "path",
    [
        "agent_status",
        *(f"agent_status.{name}" for name in _STATUS),
        "evidence_report",
        *(f"evidence_report.{name}" for name in EvidenceReport.required),
    ],
)
def test_what_is_required_is_missed_by_its_name(path: str) -> None:
    """And blocks."""
    code = path.rpartition(".")[2].upper()
    assert (code, path, BLOCKING) in found(without(sound("IN_PROGRESS"), path))


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("plan_status", "DONE", "PLAN_STATUS"),
        ("plan_status", "", "PLAN_STATUS"),
        ("plan_status", 5, "PLAN_STATUS"),
        ("agent_id", "b12345", "AGENT_ID"),
        ("agent_id", "a123", "AGENT_ID"),
        ("agent_id", "a12345\n", "AGENT_ID"),
        ("agent_id", 12345, "AGENT_ID"),
        ("next_action", " ", "NEXT_ACTION"),
        ("next_action", [], "NEXT_ACTION"),
        ("next_action", None, "NEXT_ACTION"),
        ("pending_steps", "none", "PENDING_STEPS"),
    ],
)
def test_a_wrong_agent_status_blocks(path: str, value: object, code: str) -> None:
    """Each by its own code, once."""
    given = sound("IN_PROGRESS")
    given["agent_status"][path] = value
    assert found(given) == [(code, f"agent_status.{path}", BLOCKING)]


def test_a_list_of_another_shape_is_not_called_missing() -> None:
    """What it should be is what helps."""
    given = sound("IN_PROGRESS", evidence={"open_gaps": "none"})
    [one] = validate(returned(given))
    assert (one.code, one.severity) == ("OPEN_GAPS", BLOCKING)
    assert "it should be a list" in one.detail


@pytest.mark.parametrize(
    ("verification", "code", "field"),
    [
        (None, "VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE", ""),
        ("pass", "VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE", ""),
        ({}, "VERIFICATION_RESULT_MUST_BE_PASS", ".result"),
        ({"result": "fail"}, "VERIFICATION_RESULT_MUST_BE_PASS", ".result"),
        ({"result": "passed"}, "VERIFICATION_RESULT_MUST_BE_PASS", ".result"),
        ({"result": True}, "VERIFICATION_RESULT_MUST_BE_PASS", ".result"),
    ],
)
def test_complete_needs_a_pass(verification: object, code: str, field: str) -> None:
    """Nothing else is one."""
    given = fields("COMPLETE", evidence={"verification": verification})
    assert found(given) == [(code, f"evidence_report.verification{field}", BLOCKING)]


@pytest.mark.parametrize("result", ["pass", "PASS", " pass "])
def test_a_pass_may_be_written_in_any_case(result: str) -> None:
    """As the public runtime takes it."""
    assert found(fields("COMPLETE", evidence={"verification": {"result": result}})) == []


@pytest.mark.parametrize("status", [status for status in NEEDS if status != "COMPLETE"])
def test_no_other_status_needs_a_verification(status: str) -> None:
    """It may even have failed."""
    evidence = NEEDS[status].get("evidence", {}) | {"verification": {"result": "fail"}}
    assert found(sound(status, evidence=evidence)) == []


@pytest.mark.parametrize("name", ["exact_content", "rollback", "verification"])
@pytest.mark.parametrize("value", [None, "", " \n", [], {}])
def test_an_approval_needs_what_is_consented_to(name: str, value: object) -> None:
    """Empty is missing."""
    given = sound("APPROVAL_REQUEST", approval_request={**REQUEST, name: value})
    code = f"APPROVAL_REQUEST_{name.upper()}_REQUIRED"
    assert found(given) == [(code, f"approval_request.{name}", BLOCKING)]


@pytest.mark.parametrize("name", ["operation", "scope", "risk_level"])
def test_what_else_an_approval_should_say_is_advised(name: str) -> None:
    """It does not hold the request up."""
    given = sound("APPROVAL_REQUEST", approval_request=without(REQUEST, name))
    assert found(given) == [
        ("APPROVAL_REQUEST_FIELD_MISSING", f"approval_request.{name}", ADVISORY)
    ]


def test_an_unknown_risk_is_advised() -> None:
    """In any case of letters it may be one of the four."""
    assert (
        found(sound("APPROVAL_REQUEST", approval_request={**REQUEST, "risk_level": "high"})) == []
    )
    given = sound("APPROVAL_REQUEST", approval_request={**REQUEST, "risk_level": "huge"})
    assert found(given) == [
        ("APPROVAL_REQUEST_INVALID_RISK_LEVEL", "approval_request.risk_level", ADVISORY)
    ]


def test_an_approval_request_needs_its_object() -> None:
    """And then each of the three that it lacks is told at once."""
    codes = {
        code for code, _, severity in found(fields("APPROVAL_REQUEST")) if severity == BLOCKING
    }
    assert codes == {
        "APPROVAL_REQUEST",
        "APPROVAL_REQUEST_EXACT_CONTENT_REQUIRED",
        "APPROVAL_REQUEST_ROLLBACK_REQUIRED",
        "APPROVAL_REQUEST_VERIFICATION_REQUIRED",
    }


@pytest.mark.parametrize(
    "approval_id", ["P-123", GRANT.upper(), f"{GRANT}0", GRANT[2:], "", " ", 123, 0, False, [GRANT]]
)
def test_an_approval_id_that_names_no_grant_blocks(approval_id: object) -> None:
    """Consent to it would be consent to nothing, and a grant is no plan."""
    given = sound("APPROVAL_REQUEST", approval_request={**REQUEST, "approval_id": approval_id})
    assert found(given) == [("APPROVAL_ID", "approval_request.approval_id", BLOCKING)]


@pytest.mark.parametrize("approval_id", [GRANT, None])
def test_an_approval_id_is_optional(approval_id: str | None) -> None:
    """Without one it is a plan."""
    given = sound("APPROVAL_REQUEST", approval_request={**REQUEST, "approval_id": approval_id})
    assert found(given) == []


@pytest.mark.parametrize("status", [status for status in NEEDS if status != "APPROVAL_REQUEST"])
def test_a_request_beside_another_status_is_not_looked_at(status: str) -> None:
    """Nobody is asked for it."""
    assert found(sound(status, approval_request={"operation": "x"})) == []


def test_a_loop_below_its_threshold_is_told() -> None:
    """It is no fault of the contract: it is held, not sent back for repair."""
    assert found(sound("COMPLETE", loop_state=LOOP)) == [
        ("LOOP_STATE_INCOMPLETE", "loop_state", ADVISORY)
    ]


@pytest.mark.parametrize("name", LOOP)
def test_a_loop_that_lacks_one_of_the_four_holds_nothing(name: str) -> None:
    """All four must be there."""
    assert found(sound("COMPLETE", loop_state={**LOOP, name: None})) == []
    assert found(sound("COMPLETE", loop_state=without(LOOP, name))) == []


@pytest.mark.parametrize("change", [{"iteration": 3}, {"metric": 0.9}, {"metric": 1}])
def test_a_loop_at_its_end_holds_nothing(change: dict[str, float]) -> None:
    """The last iteration, or the threshold."""
    assert found(sound("COMPLETE", loop_state=LOOP | change)) == []


def test_a_consolidation_report_is_needed_where_it_was_asked_for() -> None:
    """Each of its parts."""
    assert found(sound("IN_PROGRESS")) == []
    codes = [
        code for code, _, severity in found(sound("IN_PROGRESS"), OTHERS) if severity == BLOCKING
    ]
    assert codes == ["CONSOLIDATION_REPORT", *map(str.upper, ConsolidationReport.required)]
    assert found(sound("IN_PROGRESS", consolidation_report=REPORT), OTHERS) == []


def test_an_empty_list_of_a_consolidation_report_is_present() -> None:
    """A key that is not there is missing."""
    given = sound("IN_PROGRESS", consolidation_report=without(REPORT, "conflicts"))
    assert found(given, OTHERS) == [("CONFLICTS", "consolidation_report.conflicts", BLOCKING)]


def test_an_unknown_ownership_blocks_only_where_it_was_asked_for() -> None:
    """Else it routes nothing, and is told."""
    given = sound("IN_PROGRESS", consolidation_report=REPORT | {"ownership_assessment": "ours"})
    field = "consolidation_report.ownership_assessment"
    assert found(given) == [("OWNERSHIP_ASSESSMENT", field, ADVISORY)]
    assert found(given, OTHERS) == [("OWNERSHIP_ASSESSMENT", field, BLOCKING)]


def test_a_memory_suggestion_that_says_nothing_is_told() -> None:
    """And not asked about."""
    given = sound("COMPLETE", memorialize_suggestions=[{"description": "d", "body": " "}])
    assert found(given) == [("MEMORIALIZE_SUGGESTIONS", "memorialize_suggestions.0.body", ADVISORY)]


def test_another_agent_than_the_expected_one_is_told() -> None:
    """It is no fault of the contract."""
    assert found(sound("COMPLETE"), Context(OTHER)) == [
        ("AGENT_ID", "agent_status.agent_id", ADVISORY)
    ]


def test_all_findings_are_told_at_once_and_the_blocking_ones_first() -> None:
    """So that one repair is enough."""
    given = {"agent_status": {"plan_status": "COMPLETE"}, "memory_suggestions": [5]}
    severities = [severity for *_, severity in found(given)]
    assert severities == [BLOCKING] * 12 + [ADVISORY]
    assert is_blocked(validate(returned(given)))
