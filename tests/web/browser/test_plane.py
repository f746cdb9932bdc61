"""The orchestration plane in the web inbox: its controls, and its own words when it is degraded."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.inbox.scene import ask, hook
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until
from tests.web.browser.conftest import Opener
from tests.web.browser.window import Window, link
from tests.web.served import Served, served

NOOP = "gemba_core.orchestration.noop:open_noop"


@pytest.fixture
def plane(isolated_environment: None) -> Iterator[Served]:
    """A server that is bound to the reference adaptor."""
    with served(NOOP) as running:
        yield running


def kept(plane: Served) -> str:
    """A session that the adaptor runs, and the log says so; its id."""
    claimant = {"id": "noop", "name": "noop"}
    claimed = plane.post("orchestration/claim_next_ready", claimant=claimant).json()["id"]
    session = plane.post("orchestration/start_session", assignment_id=claimed).json()["id"]
    hook("GembaReservation", session, op="claimed", reservation_id=session, agent_id="noop")
    hook("GembaSession", session, op="start", nonce="n")
    return str(session)


def status(plane: Served, session: str) -> str:
    """What the adaptor says of that session."""
    sessions = plane.get("orchestration/topology")["observed"]["sessions"]
    return str(next(one["status"] for one in sessions if one["id"] == session))


def test_a_session_is_paused_and_ended_from_its_page(plane: Served, opened: Opener) -> None:
    """The end is asked for twice."""
    session = kept(plane)
    window: Window = opened(link(plane))
    window.page.locator("nav a", has_text="Sessions").click()
    window.open(session)
    window.button("Pause").click()
    wait_until(lambda: status(plane, session) == "suspended", what="the pause")
    window.button("End").click()
    window.button("Leave it running").click()
    window.button("End").click()
    window.button("End it").click()
    wait_until(lambda: status(plane, session) == "completed", what="the end")
    expect(window.page.locator(".toast")).to_have_count(0)
    assert window.complaints == []


def test_a_double_click_ends_no_session(plane: Served, opened: Opener) -> None:
    """What then lies under the pointer, and has the focus, leaves it running."""
    session = kept(plane)
    window: Window = opened(link(plane))
    window.go(f"#/sessions/{session}")
    window.button("End").dblclick()
    window.button("End").press("Enter")
    window.press("Enter")
    expect(window.button("Pause")).to_be_visible()
    expect(window.article.get_by_role("button", name="End it")).to_have_count(0)
    assert status(plane, session) != "completed"


def test_an_ended_session_says_why_and_what_has_its_work(server: Served, opened: Opener) -> None:
    """In the list the reason, on its page the branch and the folder of what is on none."""
    left = {"branches": ["gemba/s1"], "kept": "/kept/s1"}
    gone = {"id": "s1", "kind": "worktree", "status": "released", "provider_metadata": left}
    hook("GembaReservation", op="claimed", reservation_id="s1", agent_id="codex")
    hook("GembaWorkspace", op="released", workspace=gone)
    hook("SessionEnd", reason="logout")
    window: Window = opened(link(server))
    window.go("#/sessions")
    expect(window.row("s1")).to_contain_text("completed (provider_exit)")
    window.open("s1")
    expect(window.article).to_contain_text("on gemba/s1; the rest in /kept/s1")


def test_the_newest_lines_of_a_pane_are_in_sight(
    server: Served, opened: Opener, tmux: TmuxServer
) -> None:
    """Where all of them do not fit."""
    pane = tmux.new_pane(["sh", "-c", "seq 1000; exec cat"])
    address = {
        "tmux_socket": str(tmux.socket),
        "tmux_server_pid": tmux.server_pid,
        "tmux_pane": pane.pane_id,
    }
    ask(reply_to=address)
    window: Window = opened(link(server), viewport={"width": 1200, "height": 300})
    window.go("#/sessions/s1")
    screen = window.article.locator(".screen")
    expect(screen).to_contain_text("1000")
    below = screen.evaluate("one => one.scrollHeight - one.clientHeight - one.scrollTop")
    assert below < 2
    assert screen.evaluate("one => one.scrollTop") > 0


def test_a_session_that_no_plane_runs_has_no_controls(server: Served, opened: Opener) -> None:
    """They would do nothing."""
    hook("GembaState", "s1", state="ready")
    window: Window = opened(link(server))
    window.page.locator("nav a", has_text="Sessions").click()
    window.open("s1")
    expect(window.article.get_by_role("button", name="End")).to_have_count(0)


def test_a_degraded_plane_is_a_banner_in_its_own_words(
    isolated_environment: None, opened: Opener
) -> None:
    """And everything else works."""
    with served("tests.web.test_orchestration:broken") as running:
        window: Window = opened(link(running))
        expect(window.page.locator("#banner")).to_have_text("the runtime is restarting")
