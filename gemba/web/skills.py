"""`/api/skills`: what an answer may mention, and what its mentions come to."""

import os

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from gemba.web.shapes import Mentioned, Named, answers, json
from gemba_core.frame.line import MAX_INPUT
from gemba_core.skills.mentions.expand import expand as expanded
from gemba_core.skills.registry import discover

router = APIRouter(prefix="/api", tags=["skills"])


class Text(BaseModel):
    """An answer before it is given."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(max_length=MAX_INPUT)


@router.get("/skills", responses=answers(Named, many=True))
def skills() -> Response:
    """The skills of the folder in which the server was started."""
    return json([Named(one.handle, one.description) for one in discover(os.getcwd()).list()])


@router.post("/expand", responses=answers(Mentioned))
def expand(given: Text) -> Response:
    """What the person should know of the text's `$mentions`; the answer goes out unchanged."""
    found = expanded(given.text, os.getcwd())
    return json(Mentioned(found.skill.id if found.skill else None, list(found.said)))
