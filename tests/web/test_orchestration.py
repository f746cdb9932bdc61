"""/api/orchestration: the bound adaptor over HTTP, in the contract's own shapes."""

from collections.abc import Iterator

import httpx
import pytest

from gemba_core.orchestration.decode import record
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.event import EventKind, OrchestrationEvent
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.session import Session, SessionStatus
from tests.commands import run_cli
from tests.web.served import Served, served

NOOP = "gemba_core.orchestration.noop:open_noop"
CLAIMANT = {"id": "noop", "name": "noop"}


@pytest.fixture
def plane(isolated_environment: None) -> Iterator[Served]:
    """A server that is bound to the reference adaptor."""
    with served(NOOP) as running:
        yield running


def call(plane: Served, name: str, **body: object) -> httpx.Response:
    """One call of the contract."""
    return plane.post(f"orchestration/{name}", **body)


def started(plane: Served) -> Session:
    """A session, from claim to start."""
    reservation = call(plane, "claim_next_ready", claimant=CLAIMANT).json()
    begun = call(plane, "start_session", assignment_id=reservation["id"])
    assert begun.status_code == 200, begun.text
    return record(Session, begun.json())


def test_the_manifest_is_served(plane: Served) -> None:
    """With the adaptor's name; nothing is wrong with it."""
    told = plane.get("orchestration")
    assert record(OrchestrationCapabilityManifest, told["manifest"]).adaptor_id == "noop"
    assert (told["name"], told["degraded"]) == (NOOP, None)


def test_without_an_adaptor_the_inbox_works_and_says_so(server: Served) -> None:
    """Reads of the plane are refused in the contract's shape."""
    assert server.get("orchestration") == {"name": "none", "manifest": None, "degraded": None}
    answer = server.http.get("/api/orchestration/topology")
    assert (answer.status_code, answer.json()["_kind"]) == (409, "unsupported")
    assert server.get("sessions") == []


def test_a_session_from_claim_to_end(plane: Served) -> None:
    """Each answer is the session as it stands."""
    session = started(plane)
    paused = call(plane, "pause_session", session_id=session.id, nonce="a").json()
    assert paused["status"] == "suspended"
    assert call(plane, "resume_session", session_id=session.id, nonce="b").status_code == 200
    ended = call(plane, "end_session", session_id=session.id, nonce="c", mode="completed").json()
    assert record(Session, ended).status is SessionStatus.COMPLETED
    assert [one["id"] for one in plane.get("orchestration/topology")["observed"]["sessions"]] == [
        session.id
    ]


def test_what_is_wrong_with_a_call_is_told_in_the_contracts_shape(plane: Served) -> None:
    """All issues at once, the first of them by itself."""
    answer = call(plane, "end_session", session_id="", mode="stop")
    assert answer.status_code == 422
    told = answer.json()
    assert (told["_kind"], told["retryable"]) == ("validation", False)
    issues = told["detail"]["issues"]
    assert [(one["path"], one["code"]) for one in issues] == [
        ("end_session.session_id", "required"),
        ("end_session.nonce", "required"),
        ("end_session.mode", "enum"),
    ]
    assert told["detail"]["issue"] == issues[0]


@pytest.mark.parametrize("path", ["sessions/none/peek", "sessions/none/pending", "workspaces/none"])
def test_an_unknown_id_is_tagged(plane: Served, path: str) -> None:
    """With the one kind that says so."""
    answer = plane.http.get(f"/api/orchestration/{path}")
    assert (answer.status_code, answer.json()["_kind"]) == (404, "session_not_found")


def test_work_items_can_be_read_with_none_bound(server: Served) -> None:
    """The most urgent first; an unknown one is tagged."""
    for title, priority in (("later", "3"), ("now", "0")):
        assert run_cli("gemba", "work", "add", title, "--priority", priority).returncode == 0
    items = server.get("work")
    assert [one["title"] for one in items] == ["now", "later"]
    assert server.get(f"work/{items[0]['id']}") == items[0]
    answer = server.http.get("/api/work/none")
    assert (answer.status_code, answer.json()["_kind"]) == (404, "session_not_found")


def test_an_adaptor_without_push_says_so(plane: Served) -> None:
    """The reference adaptor starts sessions for claimed work alone."""
    answer = call(plane, "push_session", agent_id="noop")
    assert (answer.status_code, answer.json()["_kind"]) == (409, "unsupported")


def test_what_happens_is_in_the_stream(plane: Served) -> None:
    """As the adaptor's subscribers see it, in its order."""
    with plane.stream() as stream:
        session = started(plane)
        kinds = []
        while EventKind.SESSION_TRANSITION not in kinds:
            event = stream.next_any()
            if event.name == "orchestration":
                told = record(OrchestrationEvent, event.data)
                kinds.append(told.kind)
    assert kinds == [EventKind.RESERVATION_CLAIMED, EventKind.SESSION_TRANSITION]
    assert told.session_id == session.id


def test_a_plane_that_cannot_be_opened_is_degraded(isolated_environment: None) -> None:
    """Everything else works; its own words are told until it works again."""
    with served("tests.web.test_orchestration:broken") as running:
        assert running.get("orchestration")["degraded"] == "the runtime is restarting"
        answer = running.http.get("/api/orchestration/agents")
        assert (answer.status_code, answer.json()["message"]) == (503, "the runtime is restarting")
        assert answer.json()["_kind"] == "adaptor_degraded"
        assert running.get("escalations")["items"] == []


def broken() -> object:
    """An adaptor whose runtime is not there."""
    raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, "the runtime is restarting")
