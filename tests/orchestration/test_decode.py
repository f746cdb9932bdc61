"""The boundary's decoders: each call has what it needs, or a ValidationIssue says what is wrong."""

from typing import Any

import pytest

from gemba_core.orchestration import call
from gemba_core.orchestration.decode import decoded, issue_of, record
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import Session, SessionEndMode

RESOLUTION = {"kind": "approve", "resolved_by": "ada"}

# Every call with what it must have.
WHOLE: dict[type[call.Call], dict[str, Any]] = {
    call.ClaimNextReady: {"claimant": {"id": "a", "name": "a"}},
    call.StartSession: {"assignment_id": "a"},
    call.PauseSession: {"session_id": "s", "nonce": "n"},
    call.ResumeSession: {"session_id": "s", "nonce": "n"},
    call.EndSession: {"session_id": "s", "nonce": "n", "mode": "completed"},
    call.AcquireWorkspace: {"assignment_id": "a", "repository": "/r"},
    call.ResolveEscalation: {"escalation_id": "e", "nonce": "n", "resolution": RESOLUTION},
    call.ReleaseWorkspace: {"id": "w"},
    call.ReleaseReservation: {"id": "r"},
}
REQUIRED = [(kind, name) for kind, given in WHOLE.items() for name in given]


def _refused(kind: type[call.Call], data: object) -> AdaptorError:
    with pytest.raises(AdaptorError) as caught:
        decoded(kind, data)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value


@pytest.mark.parametrize("kind", WHOLE, ids=lambda kind: kind.__name__)
def test_a_whole_call_is_taken(kind: type[call.Call]) -> None:
    """With what it must have and nothing else."""
    assert isinstance(decoded(kind, WHOLE[kind]), kind)


@pytest.mark.parametrize(("kind", "name"), REQUIRED)
def test_what_is_missing_is_required(kind: type[call.Call], name: str) -> None:
    """The issue names the call and the field."""
    given = {key: value for key, value in WHOLE[kind].items() if key != name}
    issue = issue_of(_refused(kind, given))
    assert issue is not None
    assert issue.code == "required"
    assert issue.path.endswith(f".{name}")


@pytest.mark.parametrize(
    ("kind", "change", "path"),
    [
        (call.EndSession, {"mode": "maybe"}, "end_session.mode"),
        (call.AcquireWorkspace, {"preferred_kind": "tent"}, "acquire_workspace.preferred_kind"),
        (
            call.ResolveEscalation,
            {"resolution": {**RESOLUTION, "kind": "maybe"}},
            "resolve_escalation.resolution.kind",
        ),
    ],
)
def test_a_word_that_is_none_of_the_words_is_an_enum_issue(
    kind: type[call.Call], change: dict[str, Any], path: str
) -> None:
    """Whatever else is right."""
    issue = issue_of(_refused(kind, {**WHOLE[kind], **change}))
    assert issue is not None
    assert (issue.code, issue.path) == ("enum", path)


def test_who_decides_must_be_said() -> None:
    """A decision of nobody is none."""
    nobody = {**WHOLE[call.ResolveEscalation], "resolution": {"kind": "approve"}}
    issue = issue_of(_refused(call.ResolveEscalation, nobody))
    assert issue is not None
    assert (issue.code, issue.path) == ("required", "resolve_escalation.resolution.resolved_by")


def test_an_empty_id_is_as_good_as_none() -> None:
    """It is required."""
    issue = issue_of(_refused(call.ReleaseWorkspace, {"id": ""}))
    assert issue is not None
    assert issue.code == "required"


def test_an_unknown_key_is_refused() -> None:
    """A misspelt one must not pass for one that was left out."""
    misspelt = {**WHOLE[call.AcquireWorkspace], "prefered_kind": "vm"}
    assert "prefered_kind" in _refused(call.AcquireWorkspace, misspelt).message


def test_what_is_no_object_is_a_type_issue() -> None:
    """Whatever it is instead."""
    issue = issue_of(_refused(call.EndSession, ["s"]))
    assert issue is not None
    assert (issue.path, issue.code) == ("end_session", "type")


def test_all_that_is_wrong_is_said() -> None:
    """The first as `issue`, and each in `issues`."""
    error = _refused(call.EndSession, {})
    assert len(error.detail["issues"]) == 3
    assert error.detail["issue"] == error.detail["issues"][0]


def test_a_decoded_call_has_its_types() -> None:
    """An adaptor gets words of its enums, not strings to check again."""
    assert decoded(call.EndSession, WHOLE[call.EndSession]).mode is SessionEndMode.COMPLETED


def test_a_record_that_is_none_is_refused_in_the_same_way() -> None:
    """Say, from an adaptor at the other end of a wire."""
    with pytest.raises(AdaptorError) as caught:
        record(Session, {"id": "s"})
    assert caught.value.kind is ErrorKind.VALIDATION
    assert caught.value.detail["issue"]["path"].startswith("Session.")
