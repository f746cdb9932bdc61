"""Dispatch: the steps of the protocol in their order, each undone where a later one fails."""

import asyncio
from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gemba_core.orchestration.assignment import AssignmentStatus
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.event import EventKind, SubscribeFilter
from gemba_core.orchestration.session import MAX_PROMPT, ConfirmNonce, SessionStatus
from gemba_core.orchestration.work.dispatch import MOST_CANDIDATES, dispatched, task, until_ended
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.queue import NewItem, Queue
from gemba_core.orchestration.work.report import say_done
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceStatus
from tests.work.scene import ADA, STEPS, Scene, run, stepped


def test_an_item_gets_its_agent(queue: Queue) -> None:
    """Claimed under the assignment's id, in a workspace of its repository, and told what to do."""

    async def story(scene: Scene) -> None:
        async with scene.dispatched() as at_work:
            assert at_work is not None
            item = await scene.item()
            assert at_work.item == item
            assert (item.assignee, item.claim) == ("ada", at_work.session.assignment_id)
            workspace = await scene.plane.inspect_workspace(at_work.workspace.id)
            assert (workspace.status, workspace.repository) == (WorkspaceStatus.IN_USE, "/r")
            assert not at_work.session.status.is_terminal

    run(queue, story)


def test_the_steps_are_in_the_order_of_the_protocol(queue: Queue) -> None:
    """And are undone in the other one."""

    async def story(scene: Scene) -> None:
        async with scene.dispatched():
            pass
        since = SubscribeFilter(since=datetime.min.replace(tzinfo=UTC))
        async with scene.plane.subscribe(since) as events:
            kinds = [(await anext(events)).kind for _ in range(5)]
        assert kinds == [
            EventKind.RESERVATION_CLAIMED,
            EventKind.WORKSPACE_ACQUIRED,
            EventKind.SESSION_TRANSITION,
            EventKind.WORKSPACE_RELEASED,
            EventKind.SESSION_TRANSITION,
        ]

    run(queue, story)


def test_the_claim_outlives_a_session_that_ended_well(queue: Queue) -> None:
    """An end is no proof that the work is done: nobody else gets it until somebody says so."""

    async def story(scene: Scene) -> None:
        async with scene.dispatched() as at_work:
            assert at_work is not None
        assert (await scene.item()).state_category is StateCategory.STARTED
        assert (await scene.plane.inspect_workspace(at_work.workspace.id)).released_at

    run(queue, story)


@pytest.mark.parametrize("kind", [None, WorkspaceKind.WORKTREE])
def test_the_workspace_is_of_the_adaptors_default_kind(
    queue: Queue, kind: WorkspaceKind | None
) -> None:
    """Or of the one that is named."""

    async def story(scene: Scene) -> None:
        async with dispatched(
            scene.plane, scene.queue, claimant=ADA, repository="/here", kind=kind
        ) as at_work:
            assert at_work is not None
            assert at_work.workspace.kind is (kind or WorkspaceKind.SUBPROCESS)

    run(queue, story)


def test_nothing_ready_is_no_error(queue: Queue) -> None:
    """There is just nothing to do."""

    async def story(scene: Scene) -> None:
        async with scene.dispatched() as at_work:
            assert at_work is None
        assert await scene.is_clean()

    run(queue, story, items=0)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [AdaptorError(ErrorKind.PROCESS_FAILED, "no"), OSError("no")])
def test_a_failed_step_undoes_those_before_it(queue: Queue, step: str, error: Exception) -> None:
    """Whatever it raises, which the caller gets; nothing is left."""

    async def story(scene: Scene) -> None:
        scene.plane.stop_at(f"before {step}", error)
        with pytest.raises(type(error), match="no"):
            async with scene.dispatched():
                pytest.fail("it went on")
        assert await scene.is_clean()

    run(queue, story)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_cancelled_dispatch_leaves_nothing(queue: Queue, step: str, when: str) -> None:
    """Also where a step had had its effect, and nobody had heard of it yet."""

    async def story(scene: Scene) -> None:
        scene.plane.stop_at(f"{when} {step}")
        dispatch = asyncio.ensure_future(scene.dispatched().__aenter__())
        await scene.plane.is_there.wait()
        dispatch.cancel()
        await asyncio.sleep(0)
        scene.plane.go.set()
        with pytest.raises(asyncio.CancelledError):
            await dispatch
        assert await scene.is_clean()

    run(queue, story)


@pytest.mark.parametrize("error", [ValueError("no"), asyncio.CancelledError()])
def test_a_block_that_fails_gives_the_item_back(queue: Queue, error: BaseException) -> None:
    """The session is ended, and the work ready again."""

    async def story(scene: Scene) -> None:
        with pytest.raises(type(error)):
            async with scene.dispatched():
                raise error
        seen = await scene.plane.observed_state()
        assert [one.status.is_terminal for one in seen.sessions] == [True]
        assert (await scene.item()).state_category is StateCategory.READY

    run(queue, story)


def test_a_block_that_fails_after_the_work_was_done_gives_nothing_back(queue: Queue) -> None:
    """The agent had said so in its log, and nobody had passed it on yet."""

    async def work_and_fail(scene: Scene) -> None:
        async with scene.dispatched() as at_work:
            assert at_work is not None
            say_done(at_work.session.id, at_work.item.id)
            raise asyncio.CancelledError

    async def story(scene: Scene) -> None:
        with pytest.raises(asyncio.CancelledError):
            await work_and_fail(scene)
        assert (await scene.item()).state_category is StateCategory.DONE

    run(queue, story)


@pytest.mark.parametrize("how", ["taken", "done", "unknown"])
def test_the_work_plane_is_right_about_an_item(queue: Queue, how: str) -> None:
    """What it refuses is let go, and the next one taken, though the adaptor offers it first."""

    async def story(scene: Scene) -> None:
        first, second = scene.ids
        if how == "taken":
            await scene.queue.claim(first, "bob", ConfirmNonce("n-1"))
        elif how == "done":
            await scene.queue.complete(first)
        else:
            scene = replace(scene, plane=stepped(["w99", *scene.ids]))
            first, second = "w99", first
        async with scene.dispatched() as at_work:
            assert at_work is not None
            assert at_work.item.id == second
            seen = await scene.plane.observed_state()
            assert {(one.work_item_id, one.status) for one in seen.assignments} == {
                (first, AssignmentStatus.CANCELED),
                (second, AssignmentStatus.ACTIVE),
            }
        if how == "taken":
            assert (await scene.item(first)).assignee == "bob"

    run(queue, story)


def test_an_item_whose_repository_is_none_is_passed_over(queue: Queue) -> None:
    """It is told of, with its name, and ready again for when there is one."""

    async def story(scene: Scene) -> None:
        bad = await scene.queue.add(NewItem(title="Elsewhere", repository="/none"))
        scene = replace(scene, plane=stepped([bad.id, *scene.ids]))
        scene.plane.nowhere = "/none"
        async with scene.dispatched() as at_work:
            assert at_work is not None
            assert at_work.item.id == scene.ids[0]
            assert [str(one) for one in at_work.skipped] == [f"{bad.id}: /none: no such folder"]
        assert (await scene.item(bad.id)).state_category is StateCategory.READY

    run(queue, story)


@pytest.mark.parametrize("is_alone", [True, False])
def test_an_item_that_is_too_long_to_be_told_is_passed_over(queue: Queue, is_alone: bool) -> None:
    """Though it names no repository; alone, it is named. Beads takes texts of any length."""

    async def story(scene: Scene) -> None:
        long = await scene.queue.add(NewItem(title="long", description="x" * MAX_PROMPT))
        plane = stepped([long.id] if is_alone else [long.id, scene.ids[0]])
        expected = pytest.raises(AdaptorError, match=long.id) if is_alone else nullcontext()
        with expected:
            async with dispatched(plane, scene.queue, claimant=ADA, repository="/r") as at_work:
                assert at_work is not None
                assert at_work.item.id == scene.ids[0]
                assert [long.id in told.message for told in at_work.skipped] == [True]
        assert (await scene.item(long.id)).status == "open"

    run(queue, story)


@pytest.mark.parametrize("nowhere", ["/r", "/here"])
def test_where_no_item_has_a_repository_the_first_is_named(queue: Queue, nowhere: str) -> None:
    """Its own, or that of the dispatch, which is every item's; nothing is left."""

    async def story(scene: Scene) -> None:
        if nowhere == "/here":
            await scene.queue.complete(scene.ids[0])
            scene.ids[:] = [(await scene.queue.add(NewItem(title="Here"))).id]
            scene = replace(scene, plane=stepped(scene.ids))
        scene.plane.nowhere = nowhere
        with pytest.raises(AdaptorError, match=f"^{scene.ids[0]}: {nowhere}: no such") as caught:
            async with scene.dispatched():
                pytest.fail("it went on")
        assert caught.value.kind is ErrorKind.VALIDATION
        assert await scene.is_clean()

    run(queue, story, items=1)


def test_an_adaptor_that_offers_only_what_is_taken_is_given_up(queue: Queue) -> None:
    """After so many candidates; every one of them is free again."""

    async def story(scene: Scene) -> None:
        for id in scene.ids:
            await scene.queue.complete(id)
        with pytest.raises(AdaptorError, match="none of") as caught:
            async with scene.dispatched():
                pytest.fail("it went on")
        assert caught.value.retryable
        seen = await scene.plane.observed_state()
        assert {one.status for one in seen.assignments} == {AssignmentStatus.CANCELED}

    run(queue, story, items=MOST_CANDIDATES + 1)


def test_two_dispatches_get_two_items(queue: Queue) -> None:
    """At the same moment."""

    async def story(scene: Scene) -> None:
        async with AsyncExitStack() as stack:
            both = await asyncio.gather(
                *(stack.enter_async_context(scene.dispatched()) for _ in range(2))
            )
            assert {one.item.id for one in both if one} == set(scene.ids)

    run(queue, story)


def test_a_session_is_waited_for_until_it_has_ended(queue: Queue) -> None:
    """And is given as it ended; also where it had ended before anybody asked."""

    async def story(scene: Scene) -> None:
        async with scene.dispatched() as at_work:
            assert at_work is not None
            id = at_work.session.id
            waiting = asyncio.ensure_future(until_ended(scene.plane, id))
            await asyncio.sleep(0)
            scene.plane.begin_turn(id)
            await asyncio.sleep(0)
            assert not waiting.done()
            scene.plane.crash(id)
            assert (await waiting).status is SessionStatus.FAILED
            assert await until_ended(scene.plane, id) == await waiting

    run(queue, story)


def test_the_agent_is_told_its_item_and_how_to_say_that_it_is_done() -> None:
    """In plain words."""
    made = datetime(2030, 1, 2, tzinfo=UTC)
    ready = StateCategory.READY
    item = WorkItem(
        id="w1",
        title="Do it",
        description="Now.",
        status="open",
        state_category=ready,
        created_at=made,
    )
    assert task(item).split("\n\n") == [
        "Your work item is w1: Do it",
        "Now.",
        "When it is done, and only then, run: gemba work done w1",
    ]
