"""Acts without a nonce of their own in the log: sent again, they are done once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from gemba.web.once import Once
from gemba_core.errors import GembaError


def test_what_is_sent_again_while_it_is_being_done_waits_for_it() -> None:
    """A slow delivery whose client gave up and asks again is not begun twice."""
    once, begun, go_on, done = Once(), threading.Event(), threading.Event(), []

    def slow() -> None:
        begun.set()
        assert go_on.wait(10)
        done.append("slow")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(once.do, slow, "n", "redeliver", "a")
        assert begun.wait(10)
        again = pool.submit(once.do, lambda: done.append("again"), "n", "redeliver", "a")
        once.do(lambda: done.append("other"), "n", "redeliver", "b")
        go_on.set()
        first.result(10)
        again.result(10)
    assert done == ["other", "slow"]


def test_what_failed_is_done_when_it_is_sent_again() -> None:
    """Nothing was changed by it."""
    once, done = Once(), []

    def fails() -> None:
        raise GembaError("not now")

    with pytest.raises(GembaError):
        once.do(fails, "n", "reopen", "a")
    once.do(lambda: done.append("again"), "n", "reopen", "a")
    assert done == ["again"]


def test_without_a_nonce_each_is_one() -> None:
    """Nobody says that they are the same."""
    once, done = Once(), []
    for _ in range(2):
        once.do(lambda: done.append(1), None, "reopen", "a")
    assert done == [1, 1]
