"""The error algebra: ten kinds, one wire shape, and whether a retry may help."""

import json

import pytest

from gemba_core.orchestration.error import (
    AdaptorError,
    ErrorKind,
    adaptor_error,
    is_retryable,
    not_found,
)


def test_there_are_ten_kinds() -> None:
    """Those of the contract, by their words on the wire."""
    assert {kind.value for kind in ErrorKind} == {
        "validation",
        "session_not_found",
        "session_closed",
        "request_failed",
        "process_failed",
        "rate_limited",
        "unsupported",
        "capability_denied",
        "adaptor_degraded",
        "read_only",
    }


@pytest.mark.parametrize("kind", ErrorKind)
def test_every_kind_crosses_the_wire(kind: ErrorKind) -> None:
    """Kind, words, detail and whether to retry arrive as they were sent."""
    sent = AdaptorError(kind, "what happened", cause="below", detail={"n": 1})
    back = AdaptorError.from_wire(json.loads(json.dumps(sent.to_wire())))
    assert back.to_wire() == sent.to_wire()
    assert back.to_wire()["_kind"] == kind.value


def test_what_is_not_there_is_left_out_of_the_wire() -> None:
    """No cause and no detail, no such keys."""
    wire = AdaptorError(ErrorKind.READ_ONLY, "no").to_wire()
    assert wire == {"_kind": "read_only", "retryable": False, "message": "no"}


def test_an_unknown_kind_is_no_error_of_ours() -> None:
    """It is refused, not taken for another."""
    with pytest.raises(ValueError, match="nonsense"):
        AdaptorError.from_wire({"_kind": "nonsense"})


@pytest.mark.parametrize(
    ("kind", "retryable"),
    [
        (ErrorKind.REQUEST_FAILED, True),
        (ErrorKind.RATE_LIMITED, True),
        (ErrorKind.ADAPTOR_DEGRADED, True),
        (ErrorKind.VALIDATION, False),
        (ErrorKind.SESSION_NOT_FOUND, False),
        (ErrorKind.UNSUPPORTED, False),
    ],
)
def test_a_kind_says_whether_a_retry_may_help(kind: ErrorKind, retryable: bool) -> None:
    """Where the raiser does not know better."""
    assert is_retryable(AdaptorError(kind, "")) is retryable
    assert is_retryable(AdaptorError(kind, "", retryable=not retryable)) is not retryable


def test_an_error_around_a_tagged_one_is_as_retryable_as_that() -> None:
    """The chain of causes is looked through."""
    outer = RuntimeError("outer")
    outer.__cause__ = AdaptorError(ErrorKind.RATE_LIMITED, "later")
    assert is_retryable(outer)
    assert adaptor_error(outer) is outer.__cause__


def test_an_untagged_error_is_not_retryable() -> None:
    """Nobody said that it is."""
    assert not is_retryable(OSError("connection reset, please retry"))


def test_a_cause_is_kept() -> None:
    """For a traceback as for the wire."""
    cause = OSError("no such file")
    error = AdaptorError(ErrorKind.PROCESS_FAILED, "did not start", cause=cause)
    assert error.__cause__ is cause
    assert error.to_wire()["cause"] == "no such file"


def test_what_is_not_found_says_what_and_which() -> None:
    """Under the one kind for all ids, and the exit code for what is not there."""
    error = not_found("workspace", "w-1")
    assert str(error) == "'w-1': no such workspace"
    assert error.kind is ErrorKind.SESSION_NOT_FOUND
    assert error.exit_code == 4
