"""`/api/orchestration`: the bound adaptor's manifest, its sessions, and what is done with them.

Bodies are the contract's calls, and read by its own decoder. Source: spec 003,
"Boundary obligations".
"""

import json
import os
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import TypeAdapter

from gemba.web.operator import Acting
from gemba.web.plane import Plane
from gemba.web.problem import CONFLICT, FAILED, NOT_FOUND
from gemba_core.orchestration import call
from gemba_core.orchestration.agent import AgentFilter, AgentGroup, AgentRef
from gemba_core.orchestration.assignment import Reservation
from gemba_core.orchestration.decode import decoded_json, wire
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
)
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.push import Push, pushed
from gemba_core.orchestration.session import ConfirmNonce, Session, SessionPeek
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest

_PREFIX = "#/components/schemas/orchestration."
_REFERENCE = _PREFIX + "{model}"

C = TypeVar("C", bound=call.Call)
R = TypeVar("R", bound=Callable[..., Any])
Id = Annotated[str, Path(min_length=1, max_length=1000)]
Answers = dict[int | str, dict[str, Any]]


router = APIRouter(prefix="/api/orchestration", tags=["orchestration"], responses=FAILED)


def _bound(request: Request) -> Plane:
    plane: Plane = request.app.state.plane
    return plane


Bound = Annotated[Plane, Depends(_bound)]


def body(kind: type[C]) -> Any:
    """The request's body as that call of the contract. Raises AdaptorError."""

    async def read(request: Request) -> C:
        return decoded_json(kind, await request.body())

    return Depends(read)


def described(kind: Any) -> Answers:
    """For a route: that it answers with such a record of the contract."""
    schema = TypeAdapter(kind).json_schema(ref_template=_REFERENCE)
    schema.pop("$defs", None)
    return {
        200: {"description": "As it stands.", "content": {"application/json": {"schema": schema}}}
    }


def _takes(kind: type[call.Call], *, gives: Any) -> Callable[[R], R]:
    """The decorator of the route that has the name of that call of the contract."""

    def route(handle: R) -> R:
        content = {"application/json": {"schema": {"$ref": _PREFIX + kind.__name__}}}
        router.post(
            f"/{handle.__name__}",
            responses=described(gives) | NOT_FOUND | CONFLICT,
            openapi_extra={"requestBody": {"required": True, "content": content}},
        )(handle)
        return handle

    return route


def schemas() -> dict[str, Any]:
    """The JSON schemas of the contract's records, for the document's components."""
    adapters: list[tuple[str, Literal["validation"], TypeAdapter[Any]]] = [
        (kind.__name__, "validation", TypeAdapter(kind)) for kind in _RECORDS
    ]
    _, found = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    for schema in found["$defs"].values():
        if "properties" in schema:
            # Dataclasses take no other keys either, though pydantic does not say so of them.
            schema["additionalProperties"] = False
    return {f"orchestration.{name}": schema for name, schema in found["$defs"].items()}


_RECORDS = (
    *(OrchestrationCapabilityManifest, WorkspaceTopology, AgentRef, AgentGroup, Reservation),
    *(EscalationRequest, Session, SessionPeek, Workspace, WorkItem),
    *(call.ClaimNextReady, call.StartSession, call.PauseSession, call.ResumeSession),
    *(call.EndSession, call.PushSession, call.AcquireWorkspace, call.ResolveEscalation),
    *(call.ReleaseWorkspace, call.ReleaseReservation),
)


@router.get("", responses={200: {"description": "Which one, and what it can do."}})
async def describe(plane: Bound) -> Response:
    """Which adaptor is bound, its manifest, and `degraded`: what it last said is wrong with it."""
    manifest = wire(plane.adaptor.describe()) if plane.adaptor else None
    return as_json({"name": plane.name, "manifest": manifest, "degraded": plane.degraded})


@router.get("/topology", responses=CONFLICT)
async def topology(plane: Bound) -> Response:
    """What is declared, and what is observed."""
    declared = await plane.do(lambda adaptor: adaptor.declared_state())
    observed = await plane.do(lambda adaptor: adaptor.observed_state())
    return as_json({"declared": wire(declared), "observed": wire(observed)})


@router.get("/agents", responses=described(tuple[AgentRef, ...]) | CONFLICT)
async def agents(plane: Bound) -> Response:
    """The agents that there are, whether or not they run."""
    return as_json(await plane.do(lambda adaptor: adaptor.list_agents(AgentFilter())))


@router.get("/groups", responses=described(tuple[AgentGroup, ...]) | CONFLICT)
async def groups(plane: Bound) -> Response:
    """The groups of agents."""
    return as_json(await plane.do(lambda adaptor: adaptor.list_groups()))


@router.get("/escalations", responses=described(tuple[EscalationRequest, ...]) | CONFLICT)
async def escalations(plane: Bound) -> Response:
    """What is open, in the contract's shape."""
    found = await plane.do(lambda adaptor: adaptor.list_open_escalations(EscalationFilter()))
    return as_json(found)


@router.get("/sessions/{id:path}/peek", responses=described(SessionPeek) | NOT_FOUND | CONFLICT)
async def peek(id: Id, plane: Bound) -> Response:
    """A look at that session, in the manifest's peek modes."""
    return as_json(await plane.do(lambda adaptor: adaptor.peek_session(id)))


@router.get(
    "/sessions/{id:path}/pending",
    responses=described(tuple[EscalationRequest, ...]) | NOT_FOUND | CONFLICT,
)
async def pending(id: Id, plane: Bound) -> Response:
    """Whatever that session waits for a person for."""
    return as_json(await plane.do(lambda adaptor: adaptor.list_pending_requests(id)))


@router.get("/workspaces/{id:path}", responses=described(Workspace) | NOT_FOUND | CONFLICT)
async def workspace(id: Id, plane: Bound) -> Response:
    """That workspace as it stands."""
    return as_json(await plane.do(lambda adaptor: adaptor.inspect_workspace(id)))


@_takes(call.ClaimNextReady, gives=Reservation | None)
async def claim_next_ready(
    given: Annotated[call.ClaimNextReady, body(call.ClaimNextReady)], plane: Bound
) -> Response:
    """Reserve the next ready work item; null where nothing is ready."""
    return as_json(
        await plane.do(lambda adaptor: adaptor.claim_next_ready(given.filter, given.claimant))
    )


@_takes(call.ReleaseReservation, gives=None)
async def release_reservation(
    given: Annotated[call.ReleaseReservation, body(call.ReleaseReservation)], plane: Bound
) -> Response:
    """Give a reservation back."""
    return as_json(await plane.do(lambda adaptor: adaptor.release_reservation(given.id)))


@_takes(call.StartSession, gives=Session)
async def start_session(
    given: Annotated[call.StartSession, body(call.StartSession)], plane: Bound
) -> Response:
    """Start the agent of that assignment; this server owns the session."""
    return as_json(
        await plane.do(lambda adaptor: adaptor.start_session(given.assignment_id, given.prompt))
    )


@_takes(call.PushSession, gives=Session)
async def push_session(
    given: Annotated[call.PushSession, body(call.PushSession)], plane: Bound
) -> Response:
    """Start an agent for work that nobody claimed; this server owns the session."""
    push = Push(
        agent_id=given.agent_id,
        work_item_id=given.work_item_id,
        prompt=given.prompt,
        kind=given.kind,
        repository=given.repository or os.getcwd(),
        branch=given.branch,
    )
    session, _ = await plane.do(lambda adaptor: pushed(adaptor, push))
    return as_json(session)


@_takes(call.PauseSession, gives=Session)
async def pause_session(
    given: Annotated[call.PauseSession, body(call.PauseSession)], plane: Bound
) -> Response:
    """Suspend a session."""
    nonce = ConfirmNonce(given.nonce)
    return as_json(await plane.do(lambda adaptor: adaptor.pause_session(given.session_id, nonce)))


@_takes(call.ResumeSession, gives=Session)
async def resume_session(
    given: Annotated[call.ResumeSession, body(call.ResumeSession)], plane: Bound
) -> Response:
    """Let a paused session go on."""
    nonce = ConfirmNonce(given.nonce)
    return as_json(await plane.do(lambda adaptor: adaptor.resume_session(given.session_id, nonce)))


@_takes(call.EndSession, gives=Session)
async def end_session(
    given: Annotated[call.EndSession, body(call.EndSession)], plane: Bound
) -> Response:
    """End a session; all that belongs to it is released when this answers."""
    nonce = ConfirmNonce(given.nonce)
    return as_json(
        await plane.do(lambda adaptor: adaptor.end_session(given.session_id, given.mode, nonce))
    )


@_takes(call.AcquireWorkspace, gives=Workspace)
async def acquire_workspace(
    given: Annotated[call.AcquireWorkspace, body(call.AcquireWorkspace)], plane: Bound
) -> Response:
    """A workspace for that assignment: the weakest kind that satisfies it."""
    request = WorkspaceRequest(
        assignment_id=given.assignment_id,
        repository=given.repository,
        branch=given.branch,
        preferred_kind=given.preferred_kind,
        required_isolation=given.required_isolation,
    )
    return as_json(await plane.do(lambda adaptor: adaptor.acquire_workspace(request)))


@_takes(call.ReleaseWorkspace, gives=None)
async def release_workspace(
    given: Annotated[call.ReleaseWorkspace, body(call.ReleaseWorkspace)], plane: Bound
) -> Response:
    """Give a workspace back."""
    return as_json(await plane.do(lambda adaptor: adaptor.release_workspace(given.id)))


@_takes(call.ResolveEscalation, gives=EscalationRequest)
async def resolve_escalation(
    given: Annotated[call.ResolveEscalation, body(call.ResolveEscalation)],
    plane: Bound,
    actor: Acting,
) -> Response:
    """Decide, in the contract's words; on the record stands who is signed in here."""
    decision = given.resolution
    resolution = EscalationResolution(
        kind=decision.kind, resolved_by=actor.name, value=decision.value
    )
    nonce = ConfirmNonce(given.nonce)
    return as_json(
        await plane.do(
            lambda adaptor: adaptor.resolve_escalation(given.escalation_id, resolution, nonce)
        )
    )


def as_json(value: object) -> Response:
    """A record of the contract, or several, in their wire shape."""
    if isinstance(value, tuple):
        value = [wire(one) for one in value]
    elif value is not None and not isinstance(value, dict):
        value = wire(value)
    return Response(json.dumps(value), media_type="application/json")
