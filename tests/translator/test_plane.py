"""GembaReservation, GembaWorkspace, GembaSession, GembaCost: what the plane did with a session."""

import pytest

from tests.builders import (
    AT,
    address,
    ask,
    blocker,
    hook,
    plane,
    prompt,
    report,
    start,
    told,
)

CLAIMED = plane("Reservation", "claimed", work_item_id="gm-1")
STARTED = (CLAIMED, plane("Session", "start"))


def test_a_claim_is_of_a_work_item() -> None:
    """Its escalations are about that item from then on."""
    state = told(plane("Reservation", "claimed", work_item_id="gm-1", expires_at=AT)).state
    assert state.plane is not None
    assert state.plane.is_reserved
    assert (state.bead_id, state.plane.agent_id, state.plane.expires_at) == ("gm-1", "codex", AT)


def test_a_reservation_is_claimed_once() -> None:
    """A second claim in the same log is counted, and changes nothing."""
    once = told(plane("Reservation", "claimed", work_item_id="gm-1"))
    twice = once.then(plane("Reservation", "claimed", work_item_id="gm-2"))
    assert twice.state == once.state
    assert twice.drops == ["out_of_order"]


def test_what_was_given_back_has_ended() -> None:
    """It never became a session, and waits for nobody."""
    after = told(plane("Reservation", "claimed"), plane("Reservation", "released"))
    assert after.state.plane is not None
    assert after.state.plane.released_at == AT
    assert (after.state.status, after.state.close_reason) == ("completed", None)


def test_a_session_is_not_given_back() -> None:
    """Its reservation became the session."""
    assert told(*STARTED, plane("Reservation", "released")).drops == ["out_of_order"]


@pytest.mark.parametrize(
    "op", ["start", "opened", "pause", "resume", "end", "ended", "adopt", "odd"]
)
def test_nothing_happens_to_a_session_that_was_given_back(op: str) -> None:
    """Whatever comes too late is counted."""
    given_back = (plane("Reservation", "claimed"), plane("Reservation", "released"))
    assert told(*given_back, plane("Session", op)).drops == ["out_of_order"]


def test_the_workspace_is_the_last_one_told() -> None:
    """In its wire shape, as it came."""
    after = told(CLAIMED, plane("Workspace", "acquired", workspace={"id": "w"}))
    assert after.state.plane is not None
    assert after.state.plane.workspace == '{"id":"w"}'


def test_no_workspace_is_acquired_once_the_agent_runs() -> None:
    """Who could write so then is the agent."""
    told_late = told(*STARTED, plane("Workspace", "acquired", workspace={"id": "w"}))
    assert told_late.drops == ["out_of_order"]


def test_a_conflict_changes_nothing() -> None:
    """It is told, that is all."""
    before = told(*STARTED)
    assert before.then(plane("Workspace", "conflict", path="a.py")).state == before.state


def test_a_paused_session_is_suspended_whatever_its_agent_reports() -> None:
    """Hooks and states of an agent that has not noticed yet do not wake it."""
    paused = told(*STARTED, start(), prompt("go"), plane("Session", "pause", nonce="n"))
    assert paused.state.status == "suspended"
    for line in (hook("PreToolUse"), report("ready"), hook("Stop")):
        assert paused.then(line).state.status == "suspended"


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((), "initializing"),
        ((report("working"),), "working"),
        ((start(), prompt("go")), "working"),
        ((start(), prompt("go"), hook("Stop")), "ready"),
        ((start(), blocker(1)), "prompting"),
    ],
)
def test_a_resumed_session_is_as_it_was(lines: tuple[bytes, ...], status: str) -> None:
    """By its hooks or by what it said; and blocked where it is."""
    paused = told(*STARTED, *lines, plane("Session", "pause", nonce="n"))
    assert paused.then(plane("Session", "resume", nonce="m")).state.status == status


def test_what_was_reported_in_a_pause_holds_after_it() -> None:
    """The turn had ended just before; its hook came later."""
    paused = told(*STARTED, start(), prompt("go"), plane("Session", "pause"), hook("Stop"))
    assert paused.then(plane("Session", "resume")).state.status == "ready"


@pytest.mark.parametrize(
    ("idle", "then", "status"),
    [
        (("resume",), "pause", "suspended"),
        (("pause", "pause"), "resume", "initializing"),
    ],
)
def test_a_nonce_that_changed_nothing_changes_nothing_later(
    idle: tuple[str, ...], then: str, status: str
) -> None:
    """A call that is repeated must not take effect because something else happened in between."""
    lines = [plane("Session", op, nonce=str(number)) for number, op in enumerate(idle)]
    after = told(*STARTED, *lines, plane("Session", then, nonce="other"))
    assert after.state.status == status
    assert after.then(lines[-1]).state.status == status


def test_the_same_nonce_pauses_once() -> None:
    """Also after a resume: a repeated call must not suspend it anew."""
    resumed = told(
        *STARTED, plane("Session", "pause", nonce="n"), plane("Session", "resume", nonce="m")
    )
    again = resumed.then(plane("Session", "pause", nonce="n"))
    assert again.state == resumed.state
    assert again.drops == ["seen_before"]


@pytest.mark.parametrize(("mode", "status"), [("failed", "failed"), ("canceled", "completed")])
def test_an_end_has_the_mode_and_the_reason_that_were_asked_for(mode: str, status: str) -> None:
    """The agent's own end hook in between does not overwrite them."""
    asked = plane("Session", "end", nonce="n", mode=mode, close_reason="user_stop")
    ended = plane("Session", "ended", close_reason="provider_exit")
    for between in ((), (hook("SessionEnd", reason="logout"),)):
        state = told(*STARTED, start(), asked, *between, ended).state
        assert (state.status, state.close_reason) == (status, "user_stop")
        assert state.plane is not None
        assert state.plane.ended_at == AT


def test_an_agent_that_fails_after_its_goodbye_has_failed() -> None:
    """Its exit status is known later than its own end hook; the first reason stays."""
    ended = told(
        *STARTED,
        start(),
        hook("SessionEnd", reason="logout"),
        plane("Session", "end", mode="failed", close_reason="provider_exit", detail="exit 3"),
        plane("Session", "ended"),
    ).state
    assert (ended.status, ended.close_reason, ended.note) == ("failed", "provider_exit", "exit 3")


def test_an_end_that_nobody_asked_for_has_its_own_reason() -> None:
    """The agent was gone by itself."""
    state = told(*STARTED, plane("Session", "ended", close_reason="transport_error")).state
    assert (state.status, state.close_reason) == ("completed", "transport_error")


def test_the_end_cancels_what_is_open() -> None:
    """No queue of requests outlives its session."""
    ended = told(*STARTED, ask(1), plane("Session", "ended", close_reason="user_stop"))
    assert not ended.open


def test_after_the_end_nothing_happens() -> None:
    """A second end is no second end."""
    ended = told(*STARTED, plane("Session", "end", nonce="a"), plane("Session", "ended"))
    again = ended.then(plane("Session", "end", nonce="b"))
    assert again.state == ended.state
    assert again.drops == ["out_of_order"]


def test_who_adopts_a_session_owns_its_scope() -> None:
    """The lock that says whether the owner lives is the new one's."""
    adopted = told(*STARTED, plane("Session", "adopt", lock="scopes/new"))
    assert adopted.state.plane is not None
    assert adopted.state.plane.lock == "scopes/new"


def test_a_session_is_reached_in_the_pane_that_was_opened_for_it() -> None:
    """An agent in a sandbox cannot say where it is."""
    opened = told(*STARTED, plane("Session", "opened", reply_to=address())).state
    assert opened.plane is not None
    assert opened.reply_to == opened.plane.pane
    assert '"tmux_pane":"%1"' in (opened.reply_to or "")


def test_a_session_has_one_pane() -> None:
    """Another one is nobody's that opened it."""
    opened = told(*STARTED, plane("Session", "opened", reply_to=address()))
    again = opened.then(plane("Session", "opened", reply_to=address(8)))
    assert again.state == opened.state
    assert again.drops == ["out_of_order"]


def test_an_agent_that_spoke_first_is_reached_where_it_said() -> None:
    """Its own hook knows which of the pane's processes it is."""
    spoke = told(*STARTED, start(processes=[(5, 6)], server=7))
    assert spoke.then(plane("Session", "opened", reply_to=address(8))).state.reply_to == (
        spoke.state.reply_to
    )


def test_running_time_is_metered_from_the_start_and_from_each_resume() -> None:
    """What was sampled last ends where the next sample begins."""
    later = "2030-01-02T03:09:05.000006Z"
    metered = told(*STARTED, plane("Cost", at=later, wallclock_seconds=1.0))
    for told_so_far, at in (
        (told(*STARTED), AT),
        (metered, later),
        (metered.then(plane("Session", "pause"), plane("Session", "resume")), AT),
        (metered.then(plane("Cost", at=AT, tokens=1)), later),
    ):
        assert told_so_far.state.plane is not None
        assert told_so_far.state.plane.metered_at == at


def test_costs_add_up() -> None:
    """Each sample is what was spent since the one before."""
    sample = plane("Cost", tokens=5, wallclock_seconds=1.5, dollars_est=0.25)
    spent = told(*STARTED, sample, sample).state.plane
    assert spent is not None
    assert (spent.tokens, spent.wallclock_seconds, spent.dollars_est) == (10, 3.0, 0.5)


@pytest.mark.parametrize("what", ["Reservation", "Workspace", "Session", "Cost"])
def test_what_cannot_be_read_is_dropped(what: str) -> None:
    """And counted."""
    bad = plane(what, "claimed", agent_id=1, workspace=1, nonce=1, tokens="x")
    assert told(*STARTED, bad).drops == ["malformed"]


def test_its_pane_is_told_once() -> None:
    """A second one would have another program taken for its agent."""
    pane = {"tmux_socket": "/s", "tmux_server_pid": 1, "tmux_pane": "%1", "agent": [2, 3]}
    opened = told(*STARTED, plane("Session", "opened", reply_to=pane))
    again = opened.then(plane("Session", "opened", reply_to=pane | {"agent": [4, 5]}))
    assert again.state == opened.state
    assert again.drops == ["out_of_order"]
