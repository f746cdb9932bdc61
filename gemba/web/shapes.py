"""Answers as JSON, and what the API's document says of them: the index's own rows."""

from typing import Any

import msgspec
from fastapi import Response
from msgspec import Struct

from gemba_core.inbox.peek import Peek
from gemba_core.inbox.stats import Stats
from gemba_core.index import Escalation, Session


class EscalationPage(Struct, frozen=True):
    """Some escalations; `next_cursor` gets those behind them, if there are any."""

    items: list[Escalation]
    next_cursor: str | None


class OneEscalation(Struct, frozen=True):
    """An escalation as it stands after what was done."""

    escalation: Escalation


class Escalations(Struct, frozen=True):
    """Escalations as they stand after what was done."""

    escalations: list[Escalation]


class LogLine(Struct, frozen=True):
    """A line of a log where it begins: its frame, or why it is none."""

    offset: int
    frame: dict[str, Any] | None
    problem: str | None


class LogPage(Struct, frozen=True):
    """Some lines; `next_after` gets those behind them, now or later."""

    items: list[LogLine]
    next_after: int


class Named(Struct, frozen=True):
    """A skill that can be mentioned."""

    name: str
    description: str


class Mentioned(Struct, frozen=True):
    """What the mentions of a text come to; `said` is for the person, a line each."""

    skill: str | None
    said: list[str]


class Health(Struct, frozen=True):
    """Whether the server follows the logs (`ok`) or not yet (`starting`), and who acts here."""

    status: str
    version: str
    operator: str
    generation: int
    revision: int


ROWS = (
    *(EscalationPage, OneEscalation, Escalations, Escalation, Session),
    *(LogPage, Peek, Named, Mentioned, Health, Stats),
)


def schemas() -> dict[str, Any]:
    """The JSON schemas of all of them, for the document's components."""
    _, found = msgspec.json.schema_components(ROWS, ref_template="#/components/schemas/{name}")
    return found


def answers(row: type[Struct], *, many: bool = False) -> dict[int | str, dict[str, Any]]:
    """For a route: what it answers with where all is well."""
    schema: dict[str, Any] = {"$ref": f"#/components/schemas/{row.__name__}"}
    if many:
        schema = {"type": "array", "items": schema}
    return {
        200: {
            "description": (row.__doc__ or "").partition("\n")[0],
            "content": {"application/json": {"schema": schema}},
        }
    }


def json(value: Any) -> Response:
    """That value as the answer."""
    return Response(msgspec.json.encode(value), media_type="application/json")
