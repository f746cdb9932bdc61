"""What the API says when it cannot do as it was asked: one shape for every error."""

import sys
import traceback
from typing import Any, cast

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from gemba_core.errors import (
    AlreadySettled,
    GembaError,
    IndexUnusable,
    LogError,
    NotFound,
    Refused,
    UsageError,
)
from gemba_core.orchestration.error import AdaptorError, ErrorKind


class Problem(BaseModel):
    """Why a request was not done. Nothing was changed by it.

    `retryable`: the same request may succeed later. `detail` depends on the kind: with
    `already_settled` it has the escalation as it stands now.
    """

    model_config = ConfigDict(extra="forbid")

    kind: str = Field(alias="_kind")
    retryable: bool
    message: str
    detail: dict[str, Any]


# Status and kind of what the use-cases raise; the first that fits.
RAISED: tuple[tuple[type[GembaError], int, str, bool], ...] = (
    (AlreadySettled, 409, "already_settled", False),
    (NotFound, 404, "not_found", False),
    (Refused, 403, "refused", False),
    (UsageError, 422, "invalid", False),
    (LogError, 503, "log", True),
    (IndexUnusable, 503, "index", True),
    (GembaError, 409, "conflict", True),
)
_KINDS = {400: "invalid", 404: "not_found", 405: "method_not_allowed"}

# Every operation of the API may answer with these.
ANSWERS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in (
        (400, "The body is no JSON."),
        (401, "No token, or a wrong one."),
        (403, "Refused: another site's page asks, or who asked would answer itself."),
        (413, "The body is too large."),
        (422, "Something in the request is not as it should be."),
        (429, "Too many requests; `Retry-After` says when to come back."),
        (503, "A log or the index cannot be used now, or the server is full."),
    )
}
NOT_FOUND: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "There is no such thing, or more than one."}
}
FAILED: dict[int | str, dict[str, Any]] = {
    502: {"model": Problem, "description": "What runs the agents has failed."}
}
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": Problem, "description": "It was settled before, or cannot be done now."}
}


def problem(
    status: int,
    kind: str,
    message: str,
    *,
    retryable: bool = False,
    detail: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """The answer that says so."""
    said = {"_kind": kind, "retryable": retryable, "message": message, "detail": detail or {}}
    return Response(
        msgspec.json.encode(said), status, headers=headers, media_type="application/json"
    )


# The statuses of the contract's errors; their kinds are their own.
_ADAPTOR = {
    ErrorKind.VALIDATION: 422,
    ErrorKind.SESSION_NOT_FOUND: 404,
    ErrorKind.SESSION_CLOSED: 409,
    ErrorKind.REQUEST_FAILED: 502,
    ErrorKind.PROCESS_FAILED: 502,
    ErrorKind.RATE_LIMITED: 429,
    ErrorKind.UNSUPPORTED: 409,
    ErrorKind.CAPABILITY_DENIED: 403,
    ErrorKind.ADAPTOR_DEGRADED: 503,
    ErrorKind.READ_ONLY: 409,
}


def add_handlers(app: FastAPI) -> None:
    """Let every error of that application have this shape."""
    app.add_exception_handler(AdaptorError, _of_adaptor)
    app.add_exception_handler(GembaError, _of_use_case)
    app.add_exception_handler(RequestValidationError, _of_request)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _of_ours)


def _of_adaptor(_: Request, raised: Exception) -> Response:
    error = cast(AdaptorError, raised)
    return problem(
        _ADAPTOR[error.kind],
        error.kind,
        error.message,
        retryable=error.retryable,
        detail=error.detail,
    )


def _of_use_case(_: Request, error: Exception) -> Response:
    _type, status, kind, retryable = next(one for one in RAISED if isinstance(error, one[0]))
    detail = {}
    if isinstance(error, AlreadySettled) and error.escalation is not None:
        detail = {"escalation": error.escalation}
    return problem(status, kind, str(error), retryable=retryable, detail=detail)


def _of_request(_: Request, error: Exception) -> Response:
    # What was sent is not sent back: it may be anything.
    found = [
        {"where": ".".join(map(str, one["loc"])), "message": one["msg"]}
        for one in cast(RequestValidationError, error).errors()
    ]
    message = "; ".join(f"{one['where']}: {one['message']}" for one in found)
    return problem(422, "invalid", message, detail={"problems": found})


def _of_http(_: Request, error: Exception) -> Response:
    raised = cast(HTTPException, error)
    kind = _KINDS.get(raised.status_code, "invalid")
    headers = dict(raised.headers or {})
    return problem(raised.status_code, kind, str(raised.detail), headers=headers)


def _of_ours(_: Request, error: Exception) -> Response:
    # The server's own log is its standard error; nobody outside gets to see why.
    traceback.print_exception(error, file=sys.stderr)
    return problem(500, "internal", "this is a fault of Gemba's; its standard error says more")
