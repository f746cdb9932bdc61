"""Group F: every error at the boundary is tagged, with the right kind.

Source: spec 003, "Error algebra".
"""

import json
from collections.abc import Awaitable, Callable, Mapping

from gemba_core.orchestration.agent import AgentFilter
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind, is_retryable
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationResolution,
    EscalationResolutionKind,
)
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionEndMode, SessionPrompt
from gemba_core.orchestration.workspace import WorkspaceRequest
from gemba_core.testing.outcome import Unmet, expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial, refusal

PROBES = Probes(Group.ERRORS)

Calls = Mapping[str, Callable[[], Awaitable[object]]]


def _of_session(trial: Trial, id: str) -> Calls:
    adaptor = trial.adaptor
    return {
        "pause_session": lambda: adaptor.pause_session(id, new_nonce()),
        "resume_session": lambda: adaptor.resume_session(id, new_nonce()),
        "end_session": lambda: adaptor.end_session(id, SessionEndMode.COMPLETED, new_nonce()),
        "peek_session": lambda: adaptor.peek_session(id),
        "list_pending_requests": lambda: adaptor.list_pending_requests(id),
    }


def _of_assignment(trial: Trial, id: str) -> Calls:
    request = WorkspaceRequest(assignment_id=id, repository=trial.subject.repository)
    return {
        "start_session": lambda: trial.adaptor.start_session(id, SessionPrompt()),
        "acquire_workspace": lambda: trial.adaptor.acquire_workspace(request),
    }


def _of_reservation(trial: Trial, id: str) -> Calls:
    return {"release_reservation": lambda: trial.adaptor.release_reservation(id)}


def _of_workspace(trial: Trial, id: str) -> Calls:
    return {
        "release_workspace": lambda: trial.adaptor.release_workspace(id),
        "inspect_workspace": lambda: trial.adaptor.inspect_workspace(id),
    }


def _of_escalation(trial: Trial, id: str) -> Calls:
    approve = EscalationResolution(kind=EscalationResolutionKind.APPROVE, resolved_by="conformance")
    return {
        "resolve_escalation": lambda: trial.adaptor.resolve_escalation(id, approve, new_nonce())
    }


def _of_group(trial: Trial, id: str) -> Calls:
    return {"resolve_group_members": lambda: trial.adaptor.resolve_group_members(id)}


# What takes an id, by what it is the id of.
_TAKERS = {
    "session": _of_session,
    "assignment": _of_assignment,
    "reservation": _of_reservation,
    "workspace": _of_workspace,
    "escalation": _of_escalation,
    "group": _of_group,
}


@PROBES.probe
async def every_boundary_error_is_tagged(trial: Trial) -> None:
    """Whatever a call fails with is an AdaptorError: for ids of every sort, and ended sessions."""
    missing = trial.subject.known_missing_session_id
    calls = {
        name: call for taker in _TAKERS.values() for name, call in taker(trial, missing).items()
    }
    ended = await trial.end((await trial.session()).id)
    late = {
        f"{name} of an ended session": call for name, call in _of_session(trial, ended.id).items()
    }
    for name, call in {**calls, **late}.items():
        try:
            await call()
        except AdaptorError:
            continue
        except Exception as error:
            raise Unmet(f"{name} raises {type(error).__name__}: {error}") from error


def _probe_unknown(sort: str) -> None:
    """The probe that an unknown id of that sort is session_not_found."""

    async def attempt(trial: Trial) -> None:
        missing = trial.subject.known_missing_session_id
        for name, call in _TAKERS[sort](trial, missing).items():
            error = await _tagged(call, f"{name} of an unknown {sort}")
            right = error is None or error.kind is ErrorKind.SESSION_NOT_FOUND
            expect(right, f"{name} of an unknown {sort} is {error and error.kind}")

    proves = f"An unknown {sort} is session_not_found, whatever call takes its id."
    PROBES.add(f"unknown_{sort}_is_not_found", proves, attempt)


for _sort in _TAKERS:
    _probe_unknown(_sort)


@PROBES.probe
async def ended_session_is_closed(trial: Trial) -> None:
    """Pausing or resuming an ended session is session_closed."""
    ended = await trial.end((await trial.session()).id)
    for name in ("pause_session", "resume_session"):
        error = await _tagged(_of_session(trial, ended.id)[name], f"{name} of an ended session")
        right = error is None or error.kind is ErrorKind.SESSION_CLOSED
        expect(right, f"{name} of an ended session is {error and error.kind}")


@PROBES.probe
async def errors_cross_the_wire(trial: Trial) -> None:
    """An error has its wire shape in JSON, and comes back from it as it was."""
    peek = trial.adaptor.peek_session(trial.subject.known_missing_session_id)
    error = await refusal(peek, "peek_session of an unknown session")
    try:
        there = json.loads(json.dumps(error.to_wire()))
        back = AdaptorError.from_wire(there)
    except (TypeError, ValueError) as problem:
        raise Unmet(f"the error has no wire shape: {problem}") from problem
    expect(back.to_wire() == there, f"sent as {there}, it comes back as {back.to_wire()}")


@PROBES.probe
async def lasting_errors_are_not_retryable(trial: Trial) -> None:
    """An error that no retry helps with says so: an unknown id stays unknown."""
    inspect = trial.adaptor.inspect_workspace(trial.subject.known_missing_session_id)
    error = await refusal(inspect, "inspect_workspace of an unknown workspace")
    expect(not is_retryable(error), f"{error.kind} is said to be retryable")


@PROBES.probe
async def degraded_calls_say_so(trial: Trial) -> None:
    """While the runtime is out of reach every call is adaptor_degraded."""
    claimant, session = await trial.claimant(), await trial.session()
    adaptor = trial.adaptor
    calls: Calls = {
        **_of_session(trial, session.id),
        "list_agents": lambda: adaptor.list_agents(AgentFilter()),
        "claim_next_ready": lambda: adaptor.claim_next_ready(ReadyFilter(), claimant),
        "list_open_escalations": lambda: adaptor.list_open_escalations(EscalationFilter()),
        "observed_state": adaptor.observed_state,
    }
    async with trial.subject.degrade(adaptor):
        for name, call in calls.items():
            error = await refusal(call(), f"{name} while the adaptor is degraded")
            expect(error.kind is ErrorKind.ADAPTOR_DEGRADED, f"{name} is {error.kind}")


async def _tagged(call: Callable[[], Awaitable[object]], what: str) -> AdaptorError | None:
    """How the call is refused. None for an untagged error: that is another probe's matter."""
    try:
        return await refusal(call(), what)
    except Unmet:
        raise
    except Exception:
        return None
