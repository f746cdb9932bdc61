"""The application: the routes, who may use them, and the document that describes them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from gemba.web import escalations, orchestration, sessions, skills, work
from gemba.web.access import Access, Door
from gemba.web.events import Hub, events_router
from gemba.web.headers import SafeHeaders
from gemba.web.limits import Limits
from gemba.web.live import Live
from gemba.web.operator import Acting
from gemba.web.plane import Plane
from gemba.web.problem import ANSWERS, add_handlers
from gemba.web.shapes import Health, answers, json, schemas
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.stats import Stats, collect

_VERSION = version("gemba-toolkit")
_STATIC = Path(__file__).parent / "static"
_ABOUT = (
    "What coding agents ask a person, and what the person decides. Every answer is JSON; "
    "escalations and sessions are as the commands' --json prints them."
)

_general = APIRouter(tags=["server"])


def application(door: Door, plane: Plane) -> FastAPI:
    """The application; it translates and delivers while it runs, and has that plane open."""
    hub = Hub()
    live = Live(hub)

    @asynccontextmanager
    async def alive(_: FastAPI) -> AsyncIterator[None]:
        live.start(asyncio.get_running_loop())
        async with plane.opened():
            telling = asyncio.create_task(plane.follow(hub.tell))
            yield
            telling.cancel()
        await asyncio.to_thread(live.stop)

    app = FastAPI(
        title="Gemba",
        version=_VERSION,
        description=_ABOUT,
        lifespan=alive,
        docs_url=None,
        redoc_url=None,
        responses=ANSWERS,
        redirect_slashes=False,
    )
    app.state.door, app.state.hub, app.state.plane = door, hub, plane
    add_handlers(app)
    for router in (
        *(escalations.router, sessions.router, orchestration.router),
        *(work.router, skills.router, _general),
    ):
        app.include_router(router)
    app.include_router(events_router(hub))
    app.mount("/static", StaticFiles(directory=_STATIC, check_dir=False), name="static")
    # The last one added is the first one asked.
    for middleware, given in ((Access, {"door": door}), (Limits, {}), (SafeHeaders, {})):
        app.add_middleware(middleware, **given)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]  # as FastAPI documents it
    return app


@_general.get("/api/health", responses=answers(Health))
def health(request: Request, actor: Acting) -> Response:
    """That the server follows the logs, which state of the index it serves, and who acts."""
    generation, revision = use_index(lambda index: (index.generation(), index.revision()))
    status = "ok" if request.app.state.hub.has_begun else "starting"
    return json(Health(status, _VERSION, actor.name, generation, revision))


@_general.get("/api/stats", responses=answers(Stats))
def stats(days: Annotated[int, Query(ge=1, le=3650)] = 14) -> Response:
    """What is open and how old, and how fast answers came in the last days."""
    now = datetime.now().astimezone()
    since = now - timedelta(days=days)
    return json(use_index(lambda index: collect(index, since=since, now=now)))


@_general.get("/", include_in_schema=False)
def page() -> FileResponse:
    """The web inbox."""
    return FileResponse(_STATIC / "index.html")


def _document(app: FastAPI) -> dict[str, Any]:
    """OpenAPI 3.1, with the index's rows among its schemas."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=_ABOUT, routes=app.routes
        )
        parts = made["components"]
        parts["schemas"] |= schemas() | orchestration.schemas()
        parts["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer"},
            "session": {"type": "apiKey", "in": "cookie", "name": app.state.door.cookie},
        }
        made["security"] = [{"token": []}, {"session": []}]
        app.openapi_schema = made
    return app.openapi_schema
