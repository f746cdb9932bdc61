"""Types of what requests may hold: the wire's own words, and names of bounded length."""

import re
from typing import Annotated, Any

from fastapi import Path
from pydantic import BeforeValidator, GetCoreSchemaHandler, StringConstraints, WithJsonSchema
from pydantic_core import CoreSchema, core_schema

from gemba.escalations.filters import moment
from gemba_core.frame.vocabulary import ROLES, SOURCES, URGENCIES
from gemba_core.index.queries import STATE_WORDS


class OneOf:
    """Exactly one of these words; the vocabulary is written once, where it belongs."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def __get_pydantic_core_schema__(self, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(list(self._words))


_AGE = "[1-9][0-9]{0,5}[smhd]?"
_TIME = re.compile(f"{_AGE}|[0-9]{{4}}-.*")


def _microseconds(given: str) -> int:
    # A pattern's `$` lets a newline pass in some dialects.
    text = given.strip()
    at = moment(text) if _TIME.fullmatch(text) else None
    if at is None:
        raise ValueError("give a time such as 2h, 7d or 2026-11-01")
    return at


EVERY = "all"
State = Annotated[str, OneOf(*STATE_WORDS, EVERY)]
Urgency = Annotated[str, OneOf(*URGENCIES)]
Source = Annotated[str, OneOf(*SOURCES)]
Role = Annotated[str, OneOf(*ROLES)]
Since = Annotated[
    int,
    BeforeValidator(_microseconds),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": f"^{_AGE}$"},
                {"type": "string", "format": "date"},
                {"type": "string", "format": "date-time"},
            ]
        }
    ),
]

# A character that is neither a blank nor a control: with none there is nothing to deliver.
WORDS = r"[^\s\x00-\x1f\x7f-\x9f]"

EscalationId = Annotated[str, Path(min_length=1, max_length=64, description="Its id.")]
SessionId = Annotated[str, Path(min_length=1, max_length=1024, description="Its id.")]
Nonce = Annotated[str, StringConstraints(min_length=1, max_length=200)]
