"""Adaptors that break a rule of what subscribers see."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from gemba_core.orchestration.adaptor import Events
from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.noop import Noop
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()

# Within the budget of an event, but later than whatever a caller does next.
_LATE = 0.05


@BROKEN.breaks("event_ordering_across_assignment")
class TellsOfWorkspacesLate(Noop):
    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        if kind is EventKind.WORKSPACE_ACQUIRED:
            loop = asyncio.get_running_loop()
            loop.call_later(_LATE, super()._emit, kind, assignment_id, payload)
        else:
            super()._emit(kind, assignment_id, payload)


@BROKEN.breaks("event_payloads_have_their_shapes")
class SaysOnlyTheId(Noop):
    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        if kind is EventKind.WORKSPACE_ACQUIRED:
            payload = {"id": payload["id"]}
        super()._emit(kind, assignment_id, payload)


@BROKEN.breaks("opened_escalation_is_seen")
class AsksSilently(Noop):
    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        if kind is not EventKind.ESCALATION_OPENED:
            super()._emit(kind, assignment_id, payload)


@BROKEN.breaks("workspace_released_before_terminal_transition")
class EndsBeforeItReleases(Noop):
    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        has_session = self._assignments[assignment_id].session_id is not None
        if kind is EventKind.WORKSPACE_RELEASED and has_session:
            asyncio.get_running_loop().call_soon(super()._emit, kind, assignment_id, payload)
        else:
            super()._emit(kind, assignment_id, payload)


@BROKEN.breaks("terminal_transition_carries_close_reason")
class EndsWithoutAReason(Noop):
    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        if kind is EventKind.SESSION_TRANSITION:
            payload["after"].pop("close_reason", None)
        super()._emit(kind, assignment_id, payload)


@BROKEN.breaks("subscribe_since_replays")
class ForgetsWhatWas(Noop):
    def subscribe(self, filter: SubscribeFilter) -> Events:
        return super().subscribe(replace(filter, since=None))


@BROKEN.breaks("subscribe_since_includes_its_moment")
class LeavesTheMomentOut(Noop):
    def subscribe(self, filter: SubscribeFilter) -> Events:
        since = filter.since and filter.since + timedelta.resolution
        return super().subscribe(replace(filter, since=since))


@BROKEN.breaks("subscribe_respects_its_filter")
class TellsEverything(Noop):
    def subscribe(self, filter: SubscribeFilter) -> Events:
        return super().subscribe(SubscribeFilter(since=filter.since))


@BROKEN.breaks("slow_subscriber_sees_a_gap")
class DropsSilently(Noop):
    @asynccontextmanager
    async def subscribe(
        self, filter: SubscribeFilter
    ) -> AsyncIterator[AsyncIterator[OrchestrationEvent]]:
        async with super().subscribe(filter) as events:
            yield (event async for event in events if event.kind is not EventKind.GAP)


@BROKEN.breaks("slow_subscriber_sees_a_gap")
class MissesNobodyKnowsWhat(Noop):
    @asynccontextmanager
    async def subscribe(
        self, filter: SubscribeFilter
    ) -> AsyncIterator[AsyncIterator[OrchestrationEvent]]:
        async with super().subscribe(filter) as events:
            yield (
                replace(event, payload={}) if event.kind is EventKind.GAP else event
                async for event in events
            )


@BROKEN.breaks("subscription_ends_with_its_context")
class NeverStops(Noop):
    @asynccontextmanager
    async def subscribe(
        self, filter: SubscribeFilter
    ) -> AsyncIterator[AsyncIterator[OrchestrationEvent]]:
        async with super().subscribe(filter) as events:
            yield _endless(events)


async def _endless(
    events: AsyncIterator[OrchestrationEvent],
) -> AsyncIterator[OrchestrationEvent]:
    async for event in events:
        yield event
    await asyncio.Event().wait()
