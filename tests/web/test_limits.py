"""How much one peer may ask for."""

import time
from collections.abc import Iterator

import pytest

from gemba.web import limits
from tests.inbox.scene import ask, shown
from tests.web.served import Served


def test_an_answer_of_a_mebibyte_fits(server: Served) -> None:
    """Also where each of its characters is escaped."""
    item = ask()
    text = '{"kind": "modify", "nonce": "n", "value": "%s"}' % ("\\u0061" * (1 << 20))
    headers = {"Content-Type": "application/json"}
    path = f"/api/escalations/{item}/respond"
    assert server.http.post(path, content=text, headers=headers).status_code == 200
    resolved = shown(item).resolution
    assert resolved is not None
    assert resolved.value == "a" * (1 << 20)


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_body_that_is_too_long_is_refused(server: Served, is_declared: bool) -> None:
    """Whether its length is said beforehand or not."""

    def blocks() -> Iterator[bytes]:
        for _ in range(limits.MAX_BODY // 65536 + 2):
            yield b" " * 65536

    content = b" " * (limits.MAX_BODY + 1) if is_declared else blocks()
    headers = {"Content-Type": "application/json"}
    answer = server.http.post("/api/expand", content=content, headers=headers)
    assert (answer.status_code, answer.json()["_kind"]) == (413, "too_large")


def test_who_tries_tokens_is_slowed_down(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some wrong ones nothing is answered for a while, and it is said for how long."""
    monkeypatch.setattr(limits, "_WRONG_RATE", 0.001)
    with server.anybody() as nobody:
        said = [nobody.get("/api/health") for _ in range(60)]
    assert said[0].status_code == 401
    assert said[-1].status_code == 429
    assert said[-1].json()["retryable"]
    assert int(said[-1].headers["retry-after"]) > 0


def test_a_bucket_gives_as_many_as_it_holds_and_then_its_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever was not used is there again after a while, and no more than it holds."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = limits.Bucket(rate=2.0, burst=3.0)
    for _ in range(3):
        assert bucket.wait == 0
        bucket.take()
    assert bucket.wait == pytest.approx(0.5)
    now += 0.5
    assert bucket.wait == 0
    now += 1000
    for _ in range(3):
        assert bucket.wait == 0
        bucket.take()
    assert bucket.wait > 0
