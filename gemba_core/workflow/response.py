"""How a phase's agent says that it is done: the equivalent of `respond_to_leader`.

Source: spec 002, "Writing Phase Files", "Completion".
"""

import os
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from gemba_core.errors import UsageError
from gemba_core.home import write_private

Status: TypeAlias = Literal["success", "failed"]
STATUSES: tuple[Status, ...] = ("success", "failed")
# Names the folder of the agent's action.
VARIABLE = "GEMBA_WORKFLOW_ACTION"


class Response(Struct, frozen=True):
    """What the agent said last; a failure is not taken back."""

    status: Status
    message: str


def respond(folder: str, response: Response) -> None:
    """Put it where the runner looks. Raises UsageError outside of a phase, OSError."""
    if not os.path.isdir(folder):
        raise UsageError(f"{VARIABLE}: {folder}: no such folder; this is for a workflow's phase")
    before = read(folder)
    if before is not None and before.status == "failed":
        response = Response("failed", response.message or before.message)
    write_private(_path(folder), msgspec.json.encode(response))


def read(folder: str) -> Response | None:
    """What the agent of that action has said, if anything that can be read."""
    try:
        return msgspec.json.decode(Path(_path(folder)).read_bytes(), type=Response)
    except (OSError, msgspec.DecodeError):
        return None


def forget(folder: str) -> None:
    """Begin anew. Raises OSError."""
    Path(_path(folder)).unlink(missing_ok=True)


def _path(folder: str) -> str:
    return os.path.join(folder, "response.json")
