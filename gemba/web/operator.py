"""Who acts in a request: the web session's operator."""

from typing import Annotated

from fastapi import Depends, Request

from gemba.web.access import Door
from gemba_core.inbox.actor import Actor

VIA = "web"


def _acting(request: Request) -> Actor:
    door: Door = request.app.state.door
    return Actor(door.operator_of(request), VIA)


Acting = Annotated[Actor, Depends(_acting)]
