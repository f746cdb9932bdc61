"""The only place where shape is checked: adaptors trust their inputs.

Source: spec 003, "Boundary obligations".
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from gemba_core.orchestration.call import Call
from gemba_core.orchestration.error import AdaptorError, ErrorKind, ValidationIssue

T = TypeVar("T")
C = TypeVar("C", bound=Call)

_CODES = {"missing": "required", "string_too_short": "required", "enum": "enum"}


def decoded(call: type[C], data: object) -> C:
    """The call that these JSON values make. Raises as `decoded_json`."""
    return decoded_json(call, json.dumps(data).encode())


def decoded_json(call: type[C], data: bytes) -> C:
    """The call that this JSON text makes; no value is taken for one of another type.

    Raises AdaptorError `validation`: `detail["issue"]` is the first thing that
    is wrong, `detail["issues"]` all of them, as ValidationIssue.
    """
    try:
        return call.model_validate_json(data, strict=True)
    except ValidationError as error:
        raise invalid(_issues(error, _name(call))) from error


def record(kind: type[T], data: object) -> T:
    """A record of the contract (a manifest, an event, ...) out of its wire shape.

    Raises AdaptorError `validation`, as `decoded`.
    """
    try:
        found: T = _adapter(kind).validate_python(data)
    except ValidationError as error:
        raise invalid(_issues(error, kind.__name__)) from error
    return found


def wire(value: object) -> Any:
    """A record's wire shape: JSON values; what was left out stays out."""
    return _adapter(type(value)).dump_python(value, mode="json", exclude_none=True)


def invalid(issues: list[ValidationIssue]) -> AdaptorError:
    """A call or a record that is wrong in this way, or in these."""
    told = "; ".join(f"{issue.path}: {issue.reason}" for issue in issues)
    plain = [asdict(issue) for issue in issues]
    detail = {"issue": plain[0], "issues": plain}
    return AdaptorError(ErrorKind.VALIDATION, told, detail=detail)


def issue_of(error: AdaptorError) -> ValidationIssue | None:
    """What was wrong first, if this is about a call's shape."""
    issue = error.detail.get("issue")
    return ValidationIssue(**issue) if isinstance(issue, Mapping) else None


def _issues(error: ValidationError, name: str) -> list[ValidationIssue]:
    """pydantic's problems with what is called `name`, in the contract's shape."""
    return [
        ValidationIssue(
            ".".join([name, *(str(part) for part in problem["loc"])]),
            problem["msg"],
            _CODES.get(problem["type"], "type" if "type" in problem["type"] else "value"),
        )
        for problem in error.errors(include_url=False, include_input=False)
    ]


def _name(call: type[Call]) -> str:
    """end_session for EndSession."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", call.__name__).lower()


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """Made once for each kind: making one costs far more than using it."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
