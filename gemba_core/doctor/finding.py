"""What one check found."""

from msgspec import Struct


class Finding(Struct, frozen=True):
    """`status` is ok, warning or failed; `todo` says what to do where it is not ok."""

    check: str
    status: str
    detail: str
    todo: str | None = None


def ok(check: str, detail: str) -> Finding:
    """In order."""
    return Finding(check, "ok", detail)


def warning(check: str, detail: str, todo: str) -> Finding:
    """It works, but somebody should look."""
    return Finding(check, "warning", detail, todo)


def failed(check: str, detail: str, todo: str) -> Finding:
    """It does not work."""
    return Finding(check, "failed", detail, todo)
