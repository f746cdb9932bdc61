"""What has become of items whose agent, or whose dispatch, is gone."""

import pytest

from gemba_core.home import log_path
from gemba_core.log import append
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.session import ConfirmNonce, SessionEndMode, SessionPrompt
from gemba_core.orchestration.work.lost import settle_lost
from gemba_core.orchestration.work.queue import Queue
from gemba_core.orchestration.work.report import pass_on, say_done
from tests.builders import frame
from tests.work.scene import ADA, Scene, run


@pytest.mark.parametrize(
    ("fate", "becomes"),
    [
        ("pending", "in_progress"),
        ("released", "open"),
        ("active", "in_progress"),
        ("active, said done", "in_progress"),
        ("crashed", "open"),
        ("crashed, said done", "done"),
        ("ended", "in_progress"),
        ("ended, said done", "done"),
    ],
)
def test_what_a_killed_dispatch_had_claimed_is_settled(
    queue: Queue, fate: str, becomes: str
) -> None:
    """Once its assignment is over; the nonce of the claim tells whose it is."""

    async def story(scene: Scene) -> None:
        plane, (id, other) = scene.plane, scene.ids
        reservation = await plane.claim_next_ready(ReadyFilter(), ADA)
        assert reservation is not None
        nonce = ConfirmNonce(reservation.id)
        await scene.queue.claim(id, "ada", nonce)
        await scene.queue.claim(other, "bob", ConfirmNonce("n-1"))
        if fate == "released":
            await plane.release_reservation(reservation.id)
        elif fate != "pending":
            session = await plane.start_session(reservation.id, SessionPrompt())
            if "said done" in fate:
                say_done(session.id, id)
            if "crashed" in fate:
                plane.crash(session.id)
            elif "ended" in fate:
                await plane.end_session(session.id, SessionEndMode.COMPLETED, nonce)
        settled = await settle_lost(plane, scene.queue)
        assert [item.status for item in settled] == [one for one in [becomes] if "_" not in one]
        assert (await scene.item(id)).status == becomes
        assert (await scene.item(other)).assignee == "bob"

    run(queue, story)


def test_what_somebody_else_has_by_now_is_theirs(queue: Queue) -> None:
    """A session's late word does not complete what was given to another."""

    async def story(scene: Scene) -> None:
        before = await scene.queue.claim(scene.ids[0], "ada", ConfirmNonce("n-1"))
        await scene.queue.release(before.id)
        await scene.queue.claim(before.id, "bob", ConfirmNonce("n-2"))
        say_done("s", before.id)
        assert (await pass_on(scene.queue, before, "s")).assignee == "bob"

    run(queue, story)


def test_only_the_sessions_own_word_counts(queue: Queue) -> None:
    """Not of another item, not of another session in the same log, and only if it is one."""

    async def story(scene: Scene) -> None:
        item = await scene.queue.claim(scene.ids[0], "ada", ConfirmNonce("n-1"))
        say_done("s", scene.ids[1])
        word = {"op": "done", "work_item_id": item.id}
        append(log_path("s"), frame("GembaWork", word, session="other"))
        append(log_path("s"), frame("GembaWork", {**word, "op": "undone"}, session="s"))
        append(log_path("s"), frame("GembaWork", {"op": "done"}, session="s"))
        assert (await pass_on(scene.queue, item, "s")).status == "in_progress"
        append(log_path("s"), frame("GembaWork", word, session="s"))
        assert (await pass_on(scene.queue, item, "s")).status == "done"

    run(queue, story)
