"""The error algebra: every failure at an adaptor's boundary is one of ten kinds.

Source: spec 003, "Error algebra".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gemba_core.errors import GembaError


class ErrorKind(StrEnum):
    """What went wrong, for a program to branch on: the words are never matched against a text."""

    VALIDATION = "validation"
    SESSION_NOT_FOUND = "session_not_found"
    SESSION_CLOSED = "session_closed"
    REQUEST_FAILED = "request_failed"
    PROCESS_FAILED = "process_failed"
    RATE_LIMITED = "rate_limited"
    UNSUPPORTED = "unsupported"
    CAPABILITY_DENIED = "capability_denied"
    ADAPTOR_DEGRADED = "adaptor_degraded"
    READ_ONLY = "read_only"

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later, where the raiser does not know better."""
        return self in (
            ErrorKind.REQUEST_FAILED,
            ErrorKind.RATE_LIMITED,
            ErrorKind.ADAPTOR_DEGRADED,
        )


# A program's exit code for what a person can tell apart; else that of GembaError.
_EXIT_CODES = {ErrorKind.VALIDATION: 2, ErrorKind.SESSION_NOT_FOUND: 4, ErrorKind.SESSION_CLOSED: 5}


class AdaptorError(GembaError):
    """The only exception that crosses an adaptor's boundary.

    `session_not_found` is said of whatever id is unknown: a session's, an
    assignment's, a workspace's, a reservation's, an escalation's. `cause` is
    the error below, kept as `__cause__` too.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        retryable: bool | None = None,
        cause: BaseException | str | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retryable = kind.retryable if retryable is None else retryable
        self.cause = cause
        self.detail = dict(detail or {})
        self.exit_code = _EXIT_CODES.get(kind, GembaError.exit_code)
        if isinstance(cause, BaseException):
            self.__cause__ = cause

    def to_wire(self) -> dict[str, Any]:
        """The wire's shape: `_kind`, `retryable`, `message`, and `cause` and `detail` if any."""
        wire: dict[str, Any] = {
            "_kind": self.kind.value,
            "retryable": self.retryable,
            "message": self.message,
        }
        if self.cause is not None:
            wire["cause"] = str(self.cause)
        if self.detail:
            wire["detail"] = self.detail
        return wire

    @classmethod
    def from_wire(cls, wire: Mapping[str, Any]) -> "AdaptorError":
        """The error that was sent so. Raises ValueError for a kind that there is not."""
        return cls(
            ErrorKind(wire["_kind"]),
            str(wire.get("message", "")),
            retryable=bool(wire.get("retryable", False)),
            cause=wire.get("cause"),
            detail=wire.get("detail"),
        )


@dataclass(frozen=True, slots=True)
class ValidationIssue:
    """One thing wrong with a call: `path` is dotted, `code` is required, enum, type or value."""

    path: str
    reason: str
    code: str


def is_retryable(error: BaseException) -> bool:
    """Whether the error, or one that it was raised from, says that a retry may help.

    An error without a tag is not retryable.
    """
    tagged = adaptor_error(error)
    return tagged is not None and tagged.retryable


def adaptor_error(error: BaseException | None) -> AdaptorError | None:
    """The nearest tagged error in the chain of causes."""
    while error is not None and not isinstance(error, AdaptorError):
        error = error.__cause__
    return error


def not_found(what: str, id: str) -> AdaptorError:
    """That id is unknown; `what` says of what."""
    return AdaptorError(ErrorKind.SESSION_NOT_FOUND, f"{id!r}: no such {what}")
