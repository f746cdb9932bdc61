"""What subscribers of the native adaptor see: from the logs, in their order, once."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from gemba_core.frame.record import Frame, decode
from gemba_core.home import log_path
from gemba_core.log import append
from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.events import Teller
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.scope import new_nonce
from tests.builders import blocker, hook, plane, prompt, resolve, start, told
from tests.builders import frame as line
from tests.inbox.scene import frames
from tests.orchestration.native.scene import (
    ask,
    ended,
    eventually,
    seeing,
    started,
    statuses,
    within,
)

STARTED = (plane("Reservation", "claimed", work_item_id="w1"), plane("Session", "start"))


def events(*lines: bytes) -> list[OrchestrationEvent]:
    """What these lines of one log tell."""
    teller = Teller(told(*lines).state.session_id)
    return [event for line in lines for event in teller.tell(frame(line))]


def frame(line: bytes) -> Frame:
    """The frame in that line."""
    found = decode(line.removesuffix(b"\n"))
    assert found is not None
    return found


def kinds(*lines: bytes) -> list[str]:
    """The kinds of the events of these lines after a session's start."""
    return [event.kind.value for event in events(*STARTED, *lines)][2:]


def test_a_session_begins_with_its_start() -> None:
    """Its first transition has nothing before it; the reservation's own event comes first."""
    claimed, began = events(*STARTED)
    assert claimed.kind is EventKind.RESERVATION_CLAIMED
    assert claimed.session_id is None
    assert began.payload["before"] is None
    assert began.payload["after"]["status"] == "initializing"


def test_a_session_without_a_plane_tells_nothing() -> None:
    """An agent that somebody started by hand is not the plane's."""
    assert events(start(), prompt("go"), blocker(1)) == []


def test_a_blocking_escalation_tells_its_transition_last() -> None:
    """First the cause, then what it did to the session."""
    assert kinds(blocker(1)) == ["escalation_opened", "session_transition"]
    assert kinds(blocker(1), resolve(1)) == [
        "escalation_opened",
        "session_transition",
        "escalation_resolved",
        "session_transition",
    ]


def test_the_end_that_was_asked_for_is_no_transition() -> None:
    """Only `ended` is: by then all is released."""
    asked = plane("Session", "end", nonce="n", mode="failed", close_reason="user_stop")
    assert kinds(start(), asked, hook("SessionEnd", reason="logout"))[-1] == "session_transition"
    last = events(*STARTED, asked, plane("Session", "ended"))[-1]
    assert last.payload["after"]["status"] == "failed"
    assert last.payload["after"]["close_reason"] == "user_stop"


def test_what_changes_nothing_tells_nothing() -> None:
    """A pause under a nonce that was seen, a second end."""
    pause = plane("Session", "pause", nonce="n")
    assert kinds(pause, pause) == ["session_transition"]
    over = plane("Session", "ended")
    assert kinds(over, over) == ["session_transition"]


def test_events_have_the_same_ids_however_often_they_are_told() -> None:
    """They are made of the frames' own."""
    lines = (*STARTED, blocker(1), resolve(1))
    ids = [event.id for event in events(*lines)]
    assert ids == [event.id for event in events(*lines)]
    assert len(set(ids)) == len(ids)


def test_since_replays_what_is_on_record(root: Path) -> None:
    """In another process, too, and after the session has ended."""
    before = datetime.now(UTC)

    async def lived(adaptor: NativeAdaptor) -> list[str]:
        async with seeing(adaptor) as seen:
            session = await started(adaptor)
            await adaptor.pause_session(session.id, new_nonce())
            await ended(adaptor, session.id)
            await eventually(lambda: len(seen) >= 5, what="its events")
            return [event.id for event in seen]

    async def replayed(adaptor: NativeAdaptor) -> list[str]:
        async with seeing(adaptor, SubscribeFilter(since=before)) as seen:
            await eventually(lambda: len(seen) >= len(live), what="the same events")
            return [event.id for event in seen]

    live = within(root, lived)
    assert within(root, replayed) == live


def test_whoever_goes_on_from_an_events_time_misses_nothing(root: Path) -> None:
    """Neither what has the same time, nor what another session put on record later with less."""

    async def seen_after(adaptor: NativeAdaptor) -> list[tuple[EventKind, bool]]:
        async with seeing(adaptor) as seen:
            session, other = await started(adaptor), await started(adaptor)
            await asyncio.to_thread(ask, session.id)
            await eventually(lambda: statuses(seen, session.id)[1:], what="its suspension")
        opened, suspended = (event for event in seen[-2:])
        assert (opened.kind, opened.at) == (EventKind.ESCALATION_OPENED, suspended.at)
        async with seeing(adaptor, SubscribeFilter(since=suspended.at)) as seen:
            before = "2001-01-01T00:00:00Z"
            ready = line("GembaState", {"state": "ready"}, session=other.id, at=before)
            append(log_path(other.id), ready)
            await eventually(lambda: len(seen) >= 3, what="all three")
            return [(event.kind, event.session_id == session.id) for event in seen]

    assert within(root, seen_after) == [
        (EventKind.ESCALATION_OPENED, True),
        (EventKind.SESSION_TRANSITION, True),
        (EventKind.SESSION_TRANSITION, False),
    ]


def test_another_process_is_told_before_a_full_pass(root: Path) -> None:
    """By the file system alone: an adaptor of its own knows nothing of the first one's calls."""

    async def run() -> float:
        async with (
            open_native(str(root)) as adaptor,
            open_native(str(root), mend=False) as other,
            seeing(other) as seen,
        ):
            assignment = await adaptor.assign("idle")
            loop = asyncio.get_running_loop()
            returned = loop.time()
            await eventually(
                lambda: any(event.assignment_id == assignment.id for event in seen),
                what="its event",
            )
            return loop.time() - returned

    # Far above what it takes, far below a full pass.
    assert asyncio.run(run()) < 1.0


def test_a_log_of_somebody_elses_is_not_followed(root: Path) -> None:
    """Whatever its agent does."""

    async def seen_of(adaptor: NativeAdaptor) -> list[OrchestrationEvent]:
        async with seeing(adaptor) as seen:
            Path(log_path("s")).write_bytes(b"".join((start(), prompt("go"), blocker(1))))
            session = await started(adaptor)
            await eventually(lambda: len(seen) >= 2, what="our own session's events")
            return [event for event in seen if event.assignment_id != session.id]

    assert within(root, seen_of) == []


def test_each_mutation_is_on_record_with_what_it_changed(root: Path, bwrap: None) -> None:
    """From which status to which, as the contract calls them."""

    async def lived(adaptor: NativeAdaptor) -> list[str]:
        session = await started(adaptor, root=root)
        await adaptor.pause_session(session.id, new_nonce())
        await ended(adaptor, session.id)
        unused = await adaptor.assign("idle")
        await adaptor.release_reservation(unused.id)
        return [session.id, unused.id]

    session_id, unused_id = within(root, lived)
    told = [*frames(session=session_id), *frames(session=unused_id)]
    changes = [
        (one["payload"]["op"], one["payload"].get("before"), one["payload"].get("after"))
        for one in told
        if one["hook"] in ("GembaReservation", "GembaWorkspace", "GembaSession")
    ]
    assert changes == [
        ("claimed", None, "pending"),
        ("acquired", None, "ready"),
        ("start", None, "initializing"),
        ("opened", None, None),
        ("pause", "initializing", "suspended"),
        ("end", "suspended", None),
        ("released", "in_use", "released"),
        ("ended", "suspended", "completed"),
        ("claimed", None, "pending"),
        ("released", "pending", "canceled"),
    ]
