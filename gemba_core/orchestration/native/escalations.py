"""What the sessions that we keep need a person for: the same inbox as every surface's.

Blocking: call it in a thread. Raises AdaptorError.
"""

import json
from dataclasses import replace

from gemba_core.errors import AlreadySettled
from gemba_core.inbox.actor import Actor, actor, operator_name
from gemba_core.inbox.settle import respond
from gemba_core.index import Escalation, Filter, Index
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
)
from gemba_core.orchestration.native import ledger, records
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.translator import SessionState


def pending(session_id: str) -> tuple[EscalationRequest, ...]:
    """What that session waits for, oldest first; nothing once it has ended."""

    def found(index: Index) -> tuple[EscalationRequest, ...]:
        folded = index.folded(session_id)
        plane = folded[0].plane if folded else None
        if plane is None or plane.started_at is None:
            raise not_found("session", session_id)
        return _requests(
            index.escalations(Filter(session=session_id)), {session_id: plane.agent_id}
        )

    return ledger.ask(found)


def opened(filter: EscalationFilter) -> tuple[EscalationRequest, ...]:
    """What is open and passes the filter, oldest first."""

    def found(index: Index) -> tuple[EscalationRequest, ...]:
        kept = {state.session_id: state for state in index.kept()}
        agents = {id: records.plane_of(state).agent_id for id, state in kept.items()}
        requests = _requests(index.escalations(Filter()), agents)
        return tuple(one for one in requests if _admits(filter, one, kept))

    return ledger.ask(found)


def resolve(
    escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
) -> EscalationRequest:
    """Decide it, as whoever the resolution names; an agent acts in its own name."""

    def decided(index: Index) -> EscalationRequest:
        row, agent_id = _found(index, escalation_id)
        try:
            respond(
                index,
                [row.id],
                kind=resolution.kind,
                value=_text(resolution.value),
                actor=_actor(index, resolution.resolved_by),
                nonce=nonce,
            )
        except AlreadySettled as settled:
            now = records.escalation(_found(index, escalation_id)[0], agent_id)
            raise AdaptorError(
                ErrorKind.VALIDATION,
                str(settled),
                cause=settled,
                detail={"resolution": wire(now.resolution) if now.resolution else None},
            ) from settled
        return records.escalation(_found(index, escalation_id)[0], agent_id)

    return ledger.ask(decided)


def _found(index: Index, id: str) -> tuple[Escalation, str]:
    """The escalation of exactly that id, and the agent that has it."""
    for row in index.named(id) if id else []:
        folded = index.folded(row.session_id)
        if folded and folded[0].plane and (row.id == id or folded[0].aliases.get(id) == row.id):
            return row, folded[0].plane.agent_id
    raise not_found("escalation", id)


def _actor(index: Index, name: str) -> Actor:
    who = actor(index)
    return who if who.is_agent else replace(who, name=operator_name(name))


def _text(value: object) -> str | None:
    """The answer as a text: that is what reaches an agent."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _requests(rows: list[Escalation], agents: dict[str, str]) -> tuple[EscalationRequest, ...]:
    ours = [row for row in rows if row.session_id in agents]
    requests = [records.escalation(row, agents[row.session_id]) for row in ours]
    return tuple(sorted(requests, key=lambda one: one.created_at))


def _admits(
    filter: EscalationFilter, one: EscalationRequest, kept: dict[str, SessionState]
) -> bool:
    held = records.workspace(kept[one.session_id or ""])
    return (
        filter.assignment_id in (None, one.assignment_id)
        and filter.work_item_id in (None, one.work_item_id)
        and filter.agent_id in (None, one.agent_id)
        and filter.source in (None, one.source)
        and filter.urgency in (None, one.urgency)
        and filter.workspace in (None, held.id if held else None)
    )
