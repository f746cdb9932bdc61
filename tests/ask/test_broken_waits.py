"""A wait that ends badly neither swallows an answer nor keeps the deliverer waiting."""

import os
import signal
from pathlib import Path

from gemba_core.home import wait_lock_path
from gemba_core.inbox.deliver import deliver_all
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.tick import tick
from tests.ask.agent import QUESTION, gemba_ask, waiting
from tests.inbox.scene import answer, ask, delivery, hook, payloads, shown
from tests.waiting import wait_until


def test_an_answer_that_nobody_can_read_stays_deliverable() -> None:
    """The reader of the pipe is gone: exit 1, and the answer can be fetched again."""
    readable, writable = os.pipe()
    with waiting(*QUESTION, stdout=writable) as waiter:
        os.close(readable)
        os.close(writable)
        answer(waiter.id)
        code, _, err = waiter.end()
    assert code == 1
    assert "standard output" in err
    assert delivery(waiter.id)[0] == "queued"
    done = gemba_ask("--resume", waiter.id, "--wait")
    assert (done.returncode, done.stdout) == (0, "blue\n")


def test_a_full_standard_output_keeps_the_answer() -> None:
    """What could not be written to a full disk is not collected."""
    with open("/dev/full", "wb") as full, waiting(*QUESTION, stdout=full.fileno()) as waiter:
        answer(waiter.id)
        assert waiter.end()[0] == 1
    assert delivery(waiter.id)[0] == "queued"


def test_a_killed_wait_does_not_keep_the_deliverer() -> None:
    """Its lock ends with it: the deliverer goes on by its other ways at once."""
    with waiting(*QUESTION) as waiter:
        waiter.process.kill()
        waiter.process.wait()
        answer(waiter.id)
        [(_, report)] = use_index(deliver_all)
    assert "waiting gemba-ask" not in (report.detail or "")
    assert gemba_ask("--resume", waiter.id, "--wait").stdout == "blue\n"


def test_the_lock_of_a_killed_wait_is_swept_away() -> None:
    """`tick` removes the files of those that are dead, and leaves the living theirs."""
    with waiting(*QUESTION) as dead, waiting(*QUESTION) as living:
        dead.process.kill()
        dead.process.wait()
        use_index(tick)
        assert not os.path.exists(wait_lock_path("s1", dead.id))
        assert os.path.exists(wait_lock_path("s1", living.id))


def test_while_it_waits_the_deliverer_leaves_the_answer_to_it() -> None:
    """A stopped wait still has its lock: the answer is held for it, and it prints it."""
    with waiting(*QUESTION) as waiter:
        waiter.process.send_signal(signal.SIGSTOP)
        answer(waiter.id)
        [(_, report)] = use_index(deliver_all)
        assert (report.status, report.detail) == ("held", "a waiting gemba-ask hands it over")
        waiter.process.send_signal(signal.SIGCONT)
        assert waiter.end()[:2] == (0, "blue\n")


def test_a_terminated_wait_puts_the_state_of_the_session_right() -> None:
    """SIGTERM, as agents end a command that takes too long: the session is at work again."""
    with waiting(*QUESTION) as waiter:
        waiter.process.terminate()
        assert waiter.end()[:2] == (128 + signal.SIGTERM, "")
    assert payloads("GembaState")[-1]["state"] == "working"
    assert shown(waiter.id).state == "open"
    assert not Path(wait_lock_path("s1", waiter.id)).exists()


def test_an_interrupted_wait_leaves_the_question_open() -> None:
    """Ctrl-C: no answer is printed, the session is at work again, nothing is lost."""
    with waiting(*QUESTION) as waiter:
        waiter.process.send_signal(signal.SIGINT)
        code, out, err = waiter.end()
    assert (code, out) == (128 + signal.SIGINT, "")
    assert "Traceback" not in err
    assert payloads("GembaState")[-1]["state"] == "working"


def test_a_claim_of_a_dead_waiter_is_taken_up_by_the_agent_itself() -> None:
    """Killed between claim and print: uncertain for the operator; asking again gets it."""
    item = ask()
    [settled] = answer(item)
    lock = os.path.relpath(wait_lock_path("s1", item), os.environ["GEMBA_HOME"])
    hook(
        "GembaDelivery",
        resolution_id=settled.resolution_id,
        attempt=1,
        status="claimed",
        by="gemba-ask",
        lock=lock,
    )
    assert delivery(item) == ("uncertain", "its deliverer is gone")
    assert gemba_ask("--resume", item, "--wait").stdout == "blue\n"
    found = shown(item).delivery
    assert found is not None
    assert (found.status, found.attempt) == ("collected", 2)


def test_a_waiter_lives_on_without_its_reader_until_the_answer() -> None:
    """A closed pipe alone ends nothing: other surfaces still see it wait."""
    readable, writable = os.pipe()
    with waiting(*QUESTION, stdout=writable) as waiter:
        os.close(readable)
        os.close(writable)
        assert waiter.process.poll() is None
        answer(waiter.id, kind="defer", value=None)
        wait_until(lambda: waiter.process.poll() is not None, what="the end of the wait")
        assert waiter.process.returncode == 5
