"""`/api/orchestration`: the bound adaptor's manifest, its sessions, and what is done with them.

Bodies are the contract's calls; what is wrong with one is told as the contract
has it. Source: spec 003, "Boundary obligations".
"""

import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from gemba.web.operator import Acting
from gemba.web.plane import Plane
from gemba.web.problem import CONFLICT, FAILED, NOT_FOUND
from gemba_core.orchestration import call
from gemba_core.orchestration.agent import AgentFilter, AgentGroup, AgentRef
from gemba_core.orchestration.assignment import Reservation
from gemba_core.orchestration.decode import invalid, issues, wire
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
)
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.session import ConfirmNonce, Session, SessionPeek
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest

_PREFIX = "#/components/schemas/orchestration."
_REFERENCE = _PREFIX + "{model}"

Id = Annotated[str, Path(min_length=1, max_length=1000)]
Answers = dict[int | str, dict[str, Any]]


class _Route(APIRoute):
    """A body that is not as it should be is a validation error of the contract."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def decoding(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                # The path begins with "body", for which the call's name stands better.
                found = [{**one, "loc": one["loc"][1:]} for one in error.errors()]
                raise invalid(issues(found, self.name)) from error

        return decoding


router = APIRouter(
    prefix="/api/orchestration", tags=["orchestration"], route_class=_Route, responses=FAILED
)


def _bound(request: Request) -> Plane:
    plane: Plane = request.app.state.plane
    return plane


Bound = Annotated[Plane, Depends(_bound)]


def _answers(kind: Any) -> Answers:
    """For a route: that it answers with such a record of the contract."""
    schema = TypeAdapter(kind).json_schema(ref_template=_REFERENCE)
    schema.pop("$defs", None)
    return {
        200: {"description": "As it stands.", "content": {"application/json": {"schema": schema}}}
    }


def schemas() -> dict[str, Any]:
    """The JSON schemas of the contract's records, for the document's components."""
    adapters: list[tuple[str, Literal["validation"], TypeAdapter[Any]]] = [
        (kind.__name__, "validation", TypeAdapter(kind)) for kind in _RECORDS
    ]
    _, found = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    return {f"orchestration.{name}": schema for name, schema in found["$defs"].items()}


_RECORDS = (
    *(OrchestrationCapabilityManifest, WorkspaceTopology, AgentRef, AgentGroup, Reservation),
    *(EscalationRequest, Session, SessionPeek, Workspace),
)


@router.get("", responses={200: {"description": "Which one, and what it can do."}})
async def describe(plane: Bound) -> Response:
    """Which adaptor is bound, its manifest, and `degraded`: what it last said is wrong with it."""
    manifest = wire(plane.adaptor.describe()) if plane.adaptor else None
    return _json({"name": plane.name, "manifest": manifest, "degraded": plane.degraded})


@router.get("/topology", responses=CONFLICT)
async def topology(plane: Bound) -> Response:
    """What is declared, and what is observed."""
    declared = await plane.do(lambda adaptor: adaptor.declared_state())
    observed = await plane.do(lambda adaptor: adaptor.observed_state())
    return _json({"declared": wire(declared), "observed": wire(observed)})


@router.get("/agents", responses=_answers(tuple[AgentRef, ...]) | CONFLICT)
async def agents(plane: Bound) -> Response:
    """The agents that there are, whether or not they run."""
    return _json(await plane.do(lambda adaptor: adaptor.list_agents(AgentFilter())))


@router.get("/groups", responses=_answers(tuple[AgentGroup, ...]) | CONFLICT)
async def groups(plane: Bound) -> Response:
    """The groups of agents."""
    return _json(await plane.do(lambda adaptor: adaptor.list_groups()))


@router.get("/escalations", responses=_answers(tuple[EscalationRequest, ...]) | CONFLICT)
async def escalations(plane: Bound) -> Response:
    """What is open, in the contract's shape."""
    found = await plane.do(lambda adaptor: adaptor.list_open_escalations(EscalationFilter()))
    return _json(found)


@router.get("/sessions/{id:path}/peek", responses=_answers(SessionPeek) | NOT_FOUND | CONFLICT)
async def peek(id: Id, plane: Bound) -> Response:
    """A look at that session, in the manifest's peek modes."""
    return _json(await plane.do(lambda adaptor: adaptor.peek_session(id)))


@router.get(
    "/sessions/{id:path}/pending",
    responses=_answers(tuple[EscalationRequest, ...]) | NOT_FOUND | CONFLICT,
)
async def pending(id: Id, plane: Bound) -> Response:
    """Whatever that session waits for a person for."""
    return _json(await plane.do(lambda adaptor: adaptor.list_pending_requests(id)))


@router.get("/workspaces/{id:path}", responses=_answers(Workspace) | NOT_FOUND | CONFLICT)
async def workspace(id: Id, plane: Bound) -> Response:
    """That workspace as it stands."""
    return _json(await plane.do(lambda adaptor: adaptor.inspect_workspace(id)))


@router.post("/claim_next_ready", responses=_answers(Reservation | None) | CONFLICT)
async def claim_next_ready(given: call.ClaimNextReady, plane: Bound) -> Response:
    """Reserve the next ready work item; null where nothing is ready."""
    return _json(
        await plane.do(lambda adaptor: adaptor.claim_next_ready(given.filter, given.claimant))
    )


@router.post("/release_reservation", responses=_answers(None) | NOT_FOUND | CONFLICT)
async def release_reservation(given: call.ReleaseReservation, plane: Bound) -> Response:
    """Give a reservation back."""
    return _json(await plane.do(lambda adaptor: adaptor.release_reservation(given.id)))


@router.post("/start_session", responses=_answers(Session) | NOT_FOUND | CONFLICT)
async def start_session(given: call.StartSession, plane: Bound) -> Response:
    """Start the agent of that assignment; this server owns the session."""
    return _json(
        await plane.do(lambda adaptor: adaptor.start_session(given.assignment_id, given.prompt))
    )


@router.post("/pause_session", responses=_answers(Session) | NOT_FOUND | CONFLICT)
async def pause_session(given: call.PauseSession, plane: Bound) -> Response:
    """Suspend a session."""
    nonce = ConfirmNonce(given.nonce)
    return _json(await plane.do(lambda adaptor: adaptor.pause_session(given.session_id, nonce)))


@router.post("/resume_session", responses=_answers(Session) | NOT_FOUND | CONFLICT)
async def resume_session(given: call.ResumeSession, plane: Bound) -> Response:
    """Let a paused session go on."""
    nonce = ConfirmNonce(given.nonce)
    return _json(await plane.do(lambda adaptor: adaptor.resume_session(given.session_id, nonce)))


@router.post("/end_session", responses=_answers(Session) | NOT_FOUND | CONFLICT)
async def end_session(given: call.EndSession, plane: Bound) -> Response:
    """End a session; all that belongs to it is released when this answers."""
    nonce = ConfirmNonce(given.nonce)
    return _json(
        await plane.do(lambda adaptor: adaptor.end_session(given.session_id, given.mode, nonce))
    )


@router.post("/acquire_workspace", responses=_answers(Workspace) | NOT_FOUND | CONFLICT)
async def acquire_workspace(given: call.AcquireWorkspace, plane: Bound) -> Response:
    """A workspace for that assignment: the weakest kind that satisfies it."""
    request = WorkspaceRequest(
        assignment_id=given.assignment_id,
        repository=given.repository,
        branch=given.branch,
        preferred_kind=given.preferred_kind,
        required_isolation=given.required_isolation,
    )
    return _json(await plane.do(lambda adaptor: adaptor.acquire_workspace(request)))


@router.post("/release_workspace", responses=_answers(None) | NOT_FOUND | CONFLICT)
async def release_workspace(given: call.ReleaseWorkspace, plane: Bound) -> Response:
    """Give a workspace back."""
    return _json(await plane.do(lambda adaptor: adaptor.release_workspace(given.id)))


@router.post("/resolve_escalation", responses=_answers(EscalationRequest) | NOT_FOUND | CONFLICT)
async def resolve_escalation(
    given: call.ResolveEscalation, plane: Bound, actor: Acting
) -> Response:
    """Decide, in the contract's words; on the record stands who is signed in here."""
    decision = given.resolution
    resolution = EscalationResolution(
        kind=decision.kind, resolved_by=actor.name, value=decision.value
    )
    nonce = ConfirmNonce(given.nonce)
    return _json(
        await plane.do(
            lambda adaptor: adaptor.resolve_escalation(given.escalation_id, resolution, nonce)
        )
    )


def _json(value: object) -> Response:
    """A record of the contract, or several, in their wire shape."""
    if isinstance(value, tuple):
        value = [wire(one) for one in value]
    elif value is not None and not isinstance(value, dict):
        value = wire(value)
    return Response(json.dumps(value), media_type="application/json")
