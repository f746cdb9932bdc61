"""Beads as it answers, and as it fails."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.beads import Beads
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from tests.waiting import wait_until
from tests.work.conftest import Tracker

ANY = ReadyFilter()
# To Beads' metadata a number, and not the same one when it is read again.
NONCE = ConfirmNonce("12345678901234567890")


def claim(tracker: Tracker, nonce: ConfirmNonce = NONCE, agent: str = "ada") -> WorkItem:
    """Claim gm-1."""
    return asyncio.run(tracker.plane().claim("gm-1", agent, nonce))


def failure(plane: Beads) -> AdaptorError:
    """How a question to it fails."""
    with pytest.raises(AdaptorError) as caught:
        asyncio.run(plane.list_ready(ANY))
    return caught.value


def test_an_issue_becomes_a_work_item(tracker: Tracker) -> None:
    """In the words of the contract; its repository is the folder."""
    tracker.add("gm-1", priority=0, issue_type="bug", labels=["api"], description="All of it.")
    item = asyncio.run(tracker.plane().read("gm-1"))
    assert (item.id, item.title, item.description) == ("gm-1", "Do gm-1", "All of it.")
    assert (item.kind, item.priority, item.labels) == ("bug", 0, ("api",))
    assert item.repository == str(tracker.folder)
    assert item.created_at.isoformat() == "2030-01-02T03:04:00+00:00"


@pytest.mark.parametrize(
    ("status", "category"),
    [
        ("open", StateCategory.READY),
        ("in_progress", StateCategory.STARTED),
        ("hooked", StateCategory.STARTED),
        ("blocked", StateCategory.WAITING),
        ("deferred", StateCategory.WAITING),
        ("pinned", StateCategory.WAITING),
        ("of-our-own", StateCategory.WAITING),
        ("closed", StateCategory.DONE),
    ],
)
def test_each_status_has_its_category(
    tracker: Tracker, status: str, category: StateCategory
) -> None:
    """Those of Beads itself, and any that a team has made."""
    tracker.add("gm-1", status=status)
    assert asyncio.run(tracker.plane().read("gm-1")).state_category is category


def test_what_is_assigned_to_somebody_is_not_offered(tracker: Tracker) -> None:
    """Beads calls it open; but its own claim would be refused to everybody else."""
    tracker.add("gm-1", assignee="bob")
    assert asyncio.run(tracker.plane().list_ready(ANY)) == ()


@pytest.mark.parametrize(
    "answer",
    [
        '[{"id": "x-1", "title": "t", "created_at": "2030-01-02T03:04:05Z", "more": {}}]',
        '{"id": "x-1", "title": "t", "created_at": "2030-01-02T03:04:05Z", "schema_version": 1}',
        '{"schema_version": 1, "data": {"id": "x-1", "title": "t", '
        '"created_at": "2030-01-02T03:04:05.123456789-04:00"}}',
    ],
    ids=["array", "object", "envelope"],
)
def test_every_documented_form_of_an_answer_is_read(tracker: Tracker, answer: str) -> None:
    """That of today's versions, and that of the next one."""
    program = tracker.program(f"print({answer!r})")
    (item,) = asyncio.run(Beads(program, str(tracker.folder)).list_ready(ANY))
    assert item.id == "x-1"


def test_a_claim_that_died_halfway_is_taken_up_again(tracker: Tracker) -> None:
    """Beads had claimed the issue and not yet kept the nonce: the same agent gets it."""
    tracker.add("gm-1")
    dies = tracker.folder / ".beads" / "dies"
    dies.touch()
    with pytest.raises(AdaptorError) as caught:
        claim(tracker)
    assert caught.value.kind is ErrorKind.PROCESS_FAILED
    assert tracker.issues()["gm-1"]["status"] == "in_progress"
    dies.unlink()
    with pytest.raises(AdaptorError, match="ada has it"):
        claim(tracker, agent="bob")
    assert claim(tracker).claim == NONCE


def test_what_somebody_else_claims_at_the_last_moment_is_theirs(tracker: Tracker) -> None:
    """Refused by Beads, the issue is read again: whoever has it is told."""
    tracker.add("gm-1")
    (tracker.folder / ".beads" / "rival").touch()
    with pytest.raises(AdaptorError, match="rival has it") as caught:
        claim(tracker)
    assert caught.value.kind is ErrorKind.SESSION_CLOSED


def test_what_is_assigned_to_somebody_else_is_refused(tracker: Tracker) -> None:
    """Though it is open; to the one that it is assigned to it is given."""
    tracker.add("gm-1", assignee="bob")
    with pytest.raises(AdaptorError, match="bob has it") as caught:
        claim(tracker)
    assert caught.value.kind is ErrorKind.SESSION_CLOSED
    assert claim(tracker, agent="bob").assignee == "bob"


def test_a_missing_program_says_what_to_do(tmp_path: Path) -> None:
    """Degraded: it may be there the next time."""
    error = failure(Beads("no-such-bd", str(tmp_path)))
    assert (error.kind, error.retryable) == (ErrorKind.ADAPTOR_DEGRADED, True)
    assert 'plane = "queue"' in error.message


def test_an_error_of_beads_is_told_in_its_words(tracker: Tracker) -> None:
    """Wherever it printed them, without what would paint on a terminal."""
    (tracker.folder / ".beads").rename(tracker.folder / "elsewhere")
    error = failure(tracker.plane())
    assert error.kind is ErrorKind.PROCESS_FAILED
    assert "no active beads workspace found" in error.message
    with pytest.raises(AdaptorError, match="no active beads workspace") as caught:
        asyncio.run(tracker.plane().read("gm-1"))
    assert caught.value.kind is ErrorKind.PROCESS_FAILED
    painted = tracker.program("import sys; sys.exit('\\x1b[31mred')")
    assert "\x1b" not in failure(Beads(painted, str(tracker.folder))).message


@pytest.mark.parametrize("answer", ["", "no JSON", "[1]", '[{"id": "x"}]', "null", "\\udcff"])
def test_an_answer_that_is_not_understood_is_a_failed_request(
    tracker: Tracker, answer: str
) -> None:
    """And asking once more would not help."""
    wrong = f"import sys; sys.stdout.buffer.write('{answer}'.encode(errors='surrogateescape'))"
    error = failure(Beads(tracker.program(wrong), str(tracker.folder)))
    assert (error.kind, error.retryable) == (ErrorKind.REQUEST_FAILED, False)


def test_a_program_that_does_not_end_is_ended(tracker: Tracker) -> None:
    """After the time that it has; nothing of it is left."""
    slow = "import os, pathlib, time; pathlib.Path('pid').write_text(str(os.getpid()))\n"
    plane = Beads(tracker.program(f"{slow}time.sleep(600)"), str(tracker.folder), patience=1.0)
    error = failure(plane)
    assert (error.kind, error.retryable) == (ErrorKind.REQUEST_FAILED, True)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tracker.folder / "pid").read_text()), signal.SIGKILL)


def test_a_cancelled_question_leaves_no_process(tracker: Tracker) -> None:
    """It is over when the cancellation is seen."""
    pid = tracker.folder / "pid"
    slow = "import os, pathlib, time; pathlib.Path('pid').write_text(str(os.getpid()))\n"
    plane = Beads(tracker.program(f"{slow}time.sleep(600)"), str(tracker.folder))

    async def ask_and_cancel() -> None:
        asking = asyncio.ensure_future(plane.list_ready(ANY))
        await asyncio.to_thread(wait_until, lambda: pid.exists() and pid.read_text(), what="bd")
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(ask_and_cancel())
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIGKILL)
