"""The records of the contract: closed words, wire shapes, and what follows from them."""

import json
from datetime import UTC, datetime

import pytest

from gemba_core.frame import vocabulary
from gemba_core.orchestration.cost import CostMeter, CostSample, metered
from gemba_core.orchestration.decode import record, wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import EscalationKind
from gemba_core.orchestration.event import EventDelivery
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import Session, SessionCloseReason, SessionStatus
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    WorkspaceKind,
    WorkspaceRequest,
)

_AT = datetime(2030, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
_SESSION = Session(
    id="s",
    assignment_id="a",
    agent_id="agent",
    status=SessionStatus.COMPLETED,
    started_at=_AT,
    ended_at=_AT,
    close_reason=SessionCloseReason.PROVIDER_EXIT,
    cost_samples=(CostSample(at=_AT, tokens=3),),
)
_SCOPED = IsolationCapabilities(fs_scoped=True)


def test_a_record_crosses_the_wire() -> None:
    """It comes back equal, with its moments and its samples."""
    assert record(Session, json.loads(json.dumps(wire(_SESSION)))) == _SESSION


def test_what_was_left_out_is_not_on_the_wire() -> None:
    """None is no value there."""
    assert None not in wire(_SESSION).values()


def test_escalations_have_the_words_of_the_logs() -> None:
    """A source is called the same in a frame and in the contract."""
    assert {kind.value for kind in EscalationKind} == set(vocabulary.SOURCES)


@pytest.mark.parametrize("status", SessionStatus)
def test_two_statuses_are_terminal(status: SessionStatus) -> None:
    """Completed and failed."""
    assert status.is_terminal == (status.value in ("completed", "failed"))


@pytest.mark.parametrize(
    ("delivery", "seconds"),
    [(EventDelivery.SSE, 0.25), (EventDelivery.PUSH, 0.25), (EventDelivery.POLL, 5.0)],
)
def test_events_have_their_budget(delivery: EventDelivery, seconds: float) -> None:
    """A quarter of a second, or five where the adaptor polls."""
    assert delivery.budget == seconds


def test_a_meter_is_the_samples_sum() -> None:
    """A sample without an estimate of its own counts its native cost at the rate."""
    samples = [
        CostSample(at=_AT, tokens=3, dollars_est=1.0),
        CostSample(at=_AT, wallclock_seconds=2.0, dollars_native=4.0),
    ]
    expected = CostMeter(tokens_total=3, wallclock_seconds=2.0, dollars_est=3.0)
    assert metered(samples, native_to_dollars=0.5) == expected


def test_isolation_is_satisfied_by_more() -> None:
    """And not by less."""
    assert _SCOPED.satisfies(IsolationCapabilities())
    assert not IsolationCapabilities().satisfies(_SCOPED)


def _request(
    kind: WorkspaceKind | None = None, required: IsolationCapabilities | None = None
) -> WorkspaceRequest:
    return WorkspaceRequest(
        assignment_id="a",
        repository="/r",
        preferred_kind=kind,
        required_isolation=required or IsolationCapabilities(),
    )


@pytest.fixture
def noop() -> Noop:
    """It offers subprocess and worktree, both fs_scoped."""
    return Noop()


def test_the_weakest_kind_is_chosen(noop: Noop) -> None:
    """Where nothing is preferred."""
    assert noop.describe().chosen_kind(_request()) is WorkspaceKind.SUBPROCESS


def test_the_preferred_kind_is_chosen(noop: Noop) -> None:
    """Where it will do."""
    chosen = noop.describe().chosen_kind(_request(WorkspaceKind.WORKTREE, _SCOPED))
    assert chosen is WorkspaceKind.WORKTREE


@pytest.mark.parametrize(
    "request_",
    [_request(WorkspaceKind.VM), _request(required=IsolationCapabilities(net_isolated=True))],
)
def test_what_is_not_on_offer_is_unsupported(noop: Noop, request_: WorkspaceRequest) -> None:
    """Never less than was asked for."""
    with pytest.raises(AdaptorError) as caught:
        noop.describe().chosen_kind(request_)
    assert caught.value.kind is ErrorKind.UNSUPPORTED
