"""GET /api/events: what happens, as it happens, over every cut of the connection."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from gemba.web import events
from tests.inbox.scene import answer, ask, delivery, hook, reopen
from tests.operator.desk import gemba
from tests.waiting import wait_until
from tests.web.served import Event, Served, served


def numbers(heard: list[Event]) -> list[int]:
    """The sequences in their ids."""
    return [int(event.id.partition("-")[2]) for event in heard]


def test_a_new_stream_begins_with_reset(server: Served) -> None:
    """What was before is to be fetched."""
    with server.stream() as stream:
        assert stream.next("reset").data == {}


def test_each_change_is_told_with_the_whole_escalation(server: Served) -> None:
    """Opened, settled, and how far the answer got; in the shape of the list."""
    with server.stream() as stream:
        item = ask()
        [*_, opened] = stream.until(item, "opened")
        assert opened.data["escalation"] == server.get(f"escalations/{item}")
        answer(item)
        stream.until(item, "settled")
        [*_, told] = stream.until(item, "delivery")
        assert told.data["escalation"]["delivery"]["status"] == "held"
        reopen(item)
        stream.until(item, "opened")


def test_of_an_earlier_answer_its_delivery_alone_is_told() -> None:
    """That it was opened and settled is no news."""
    item = ask()
    [settled] = answer(item)
    with served() as server:
        wait_until(lambda: delivery(item)[0] == "held", what="the first try")
        with server.stream() as stream:
            told: dict[str, Any] = {"resolution_id": settled.resolution_id, "attempt": 1}
            hook("GembaDelivery", **told, by="gemba-ask", status="collected")
            heard = stream.until(item, "delivery")
            if heard[-1].data["escalation"]["delivery"]["status"] == "held":
                heard += stream.until(item, "delivery")
    assert {one.data["event"] for one in heard if one.name == "escalation"} == {"delivery"}


def test_a_session_is_told_as_it_changes(server: Served) -> None:
    """In the shape of the list of sessions."""
    with server.stream() as stream:
        stream.next("reset")
        hook("GembaState", "s7", state="working")
        told = stream.next("session")
        assert told.data == server.get("sessions/s7")


def test_a_client_that_was_cut_hears_what_it_missed(server: Served) -> None:
    """Each event once, in order, with nothing between."""
    with server.stream() as stream:
        first = ask("first")
        heard = stream.until(first, "opened")
    missed = [ask(f"missed {number}") for number in range(3)]
    with server.stream() as other:
        ask("seen by another", "s2")
        other.next("reset")
        wait_until(lambda: len(server.get("escalations")["items"]) == 5, what="all asks")
    with server.stream(heard[-1].id) as stream:
        later = ask("later")
        heard += stream.until(later, "opened")
    told = [one.data["escalation"]["id"] for one in heard if one.name == "escalation"]
    assert [one for one in told if one in {first, *missed, later}] == [first, *missed, later]
    assert numbers(heard) == list(range(numbers(heard)[0], numbers(heard)[0] + len(heard)))


@pytest.mark.parametrize("given", ["x", "0-1", "0-", "9-9", "-", "0-" + "9" * 30])
def test_a_client_that_cannot_go_on_is_told_to_begin_anew(server: Served, given: str) -> None:
    """An id that is no id, too old, of the future, or of another index."""
    with server.stream(given) as stream:
        stream.next("reset")


def test_after_a_restart_clients_begin_anew() -> None:
    """The new server does not take the old one's ids for its own."""
    with served() as server, server.stream() as stream:
        last = stream.next("reset").id
    with served() as server, server.stream(last) as stream:
        assert stream.next("reset").id != last


def test_after_a_rebuild_clients_begin_anew(server: Served) -> None:
    """Whoever listens is told so at once; whoever comes back, too."""
    item = ask()
    with server.stream() as stream:
        before = stream.next("reset")
        wait_until(lambda: server.get("escalations")["items"], what="the ask")
        assert gemba("index", "rebuild").returncode == 0
        while (event := stream.next_any()).name != "reset":
            before = event
        assert event.id.partition("-")[0] != before.id.partition("-")[0]
    with server.stream(before.id) as stream:
        assert stream.next("reset").id == event.id
    assert server.get(f"escalations/{item}")["state"] == "open"


def test_a_deleted_index_is_made_anew(server: Served) -> None:
    """As it may be at any time; clients begin anew, and hear what comes then."""
    item = ask()
    wait_until(lambda: server.get("escalations")["items"], what="the ask")
    with server.stream() as stream:
        stream.next("reset")
        home = Path(os.environ["GEMBA_HOME"])
        for path in home.glob("index.db*"):
            path.unlink()
        while stream.next_any().name != "reset":
            pass
        later = ask("later")
        stream.until(later, "opened")
    assert {one["id"] for one in server.get("escalations")["items"]} == {item, later}


def test_logs_that_are_gone_for_a_while_end_no_server(server: Served) -> None:
    """What comes when they are back is told, or that everything is to be fetched."""
    with server.stream() as stream:
        stream.next("reset")
        logs = Path(os.environ["GEMBA_HOME"]) / "sessions"
        shutil.rmtree(logs)
        item = ask("after")
        assert stream.next_any().name in ("escalation", "reset")
    assert [one["id"] for one in server.get("escalations")["items"]] == [item]


def test_there_are_only_so_many_streams(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is told to come back later; one that ends makes room."""
    monkeypatch.setattr(events, "MOST_STREAMS", 1)
    with server.stream() as stream:
        stream.next("reset")
        full = server.http.get("/api/events")
        assert (full.status_code, full.json()["retryable"]) == (503, True)

    def is_let_in() -> bool:
        with server.http.stream("GET", "/api/events") as answer:
            return answer.status_code == 200

    wait_until(is_let_in, what="the room")
