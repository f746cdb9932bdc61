"""SessionStart, SessionEnd and GembaState; whose client is bound, and who is a child."""

import pytest

from gemba_core.translator.change import Closed, Delivered
from tests.builders import (
    AT,
    ask,
    blocker,
    delivery,
    escalate,
    frame,
    hook,
    id_of,
    permission,
    prompt,
    report,
    resolve,
    start,
    told,
)

FIRST, SECOND = [(10, 1), (9, 1)], [(20, 2), (9, 1)]
INSIDE_FIRST = [(20, 2), *FIRST]


def end(reason: str = "logout", client: str = "client-1") -> bytes:
    """SessionEnd."""
    return hook("SessionEnd", client=client, reason=reason)


def test_a_start_makes_the_session_known_and_ready() -> None:
    """Client, agent type and return address are recorded."""
    state = told(start(processes=FIRST, server=7)).state
    assert (state.status, state.agent_type, state.created_at) == ("ready", "claude", AT)
    assert state.client is not None
    assert state.client.session_id == "client-1"
    assert '"agent":[10,1]' in str(state.reply_to)


def test_compaction_changes_nothing() -> None:
    """It starts no session, though the client says SessionStart."""
    before = told(start(), prompt("go"))
    assert before.then(start("compact", client="client-2")).state == before.state


@pytest.mark.parametrize("source", ["clear", "resume"])
def test_clear_and_resume_bind_the_new_client(source: str) -> None:
    """The person goes on in the same pane: nothing is canceled."""
    after = told(start(), ask(1), start(source, client="client-2"))
    assert after.open == {id_of(1)}
    assert after.then(prompt("blue", client="client-2")).open == set()


@pytest.mark.parametrize(
    ("old", "new", "turn_open", "is_child"),
    [
        ((FIRST, 7), (INSIDE_FIRST, 7), False, True),
        ((FIRST, 7), (INSIDE_FIRST, 7), True, True),
        ((FIRST, 7), (FIRST, 7), True, True),
        ((FIRST, 7), (FIRST, 7), False, False),
        ((FIRST, 7), (SECOND, 7), True, False),
        ((FIRST, 7), (SECOND, 7), False, False),
        ((None, None), (None, None), True, True),
        ((None, None), (None, None), False, False),
        ((FIRST, 7), (None, None), True, True),
        ((None, None), (SECOND, 7), False, False),
        ((FIRST, 7), (INSIDE_FIRST, 8), True, False),
        ((None, 7), (None, 8), True, False),
    ],
    ids=[
        *("inside", "inside, in a turn", "same process, in a turn", "same process"),
        *("other process, in a turn", "other process", "unknown, in a turn", "unknown"),
        *("new unknown, in a turn", "old unknown", "other server, inside", "other server"),
    ],
)
def test_another_clients_start_is_a_child_or_a_new_incarnation(
    old: tuple[list[tuple[int, int]] | None, int | None],
    new: tuple[list[tuple[int, int]] | None, int | None],
    turn_open: bool,
    is_child: bool,
) -> None:
    """By ancestors; else by the bound client's turn; another tmux server is never a child."""
    lines = [start(processes=old[0], server=old[1])]
    lines += [prompt("go")] if turn_open else []
    before = told(*lines, ask(1))
    after = before.then(start(client="client-2", processes=new[0], server=new[1]))
    if is_child:
        assert after.state == before.state
        assert not after.changes
    else:
        assert after.of(Closed) == [
            Closed(id_of(1), "canceled", "transport_error", "translator", AT)
        ]
        assert after.state.client is not None
        assert after.state.client.session_id == "client-2"


def test_a_child_changes_nothing_whatever_it_does() -> None:
    """It inherited the session's environment: prompts, turn ends and its own end are not ours."""
    before = told(start(processes=FIRST), prompt("go"), ask(1), hook("Stop"), report("prompting"))
    after = before.then(
        start(client="child", processes=INSIDE_FIRST),
        prompt("blue", client="child"),
        permission(2, client="child"),
        hook("PreToolUse", client="child"),
        hook("Stop", client="child"),
        end(client="child"),
    )
    assert after.state == before.state
    assert not after.changes


def test_a_new_incarnation_voids_answers_that_nobody_has_taken() -> None:
    """Their reader is gone."""
    after = told(start(), ask(1), resolve(1), start(client="client-2"))
    assert [change.status for change in after.of(Delivered)] == ["queued", "failed"]
    assert not after.state.answers


def test_the_same_clients_start_cancels_nothing() -> None:
    """It is no new incarnation."""
    assert told(start(), ask(1), start()).open == {id_of(1)}


@pytest.mark.parametrize("reason", ["clear", "resume"])
def test_ends_that_end_nothing(reason: str) -> None:
    """The person goes on with another conversation of the same client."""
    before = told(start(), ask(1))
    assert before.then(end(reason)).state == before.state


def test_an_end_completes_the_session_and_cancels_what_is_open() -> None:
    """All of it, in the order of the log."""
    after = told(start(), permission(2), ask(1), end())
    assert (after.state.status, after.state.close_reason) == ("completed", "provider_exit")
    assert [(change.id, change.reason) for change in after.of(Closed)] == [
        (id_of(2), "provider_exit"),
        (id_of(1), "provider_exit"),
    ]


def test_an_end_that_was_asked_for_has_that_reason() -> None:
    """The end request is a frame before it."""
    after = told(start(), frame("GembaSession", {"close_reason": "user_stop"}), ask(1), end())
    assert after.state.close_reason == "user_stop"
    assert after.of(Closed)[0].reason == "user_stop"


def test_an_end_voids_answers_that_nobody_has_taken() -> None:
    """What was submitted keeps what is known of it."""
    both = told(start(), ask(1), ask(2), resolve(1), resolve(2, resolution="r2"))
    after = both.then(delivery("submitted", resolution="r2"), end())
    assert set(after.state.answers.keys()) == {"r2"}
    assert [(d.resolution_id, d.status) for d in after.of(Delivered)][-1] == ("r1", "failed")


def test_the_first_terminal_record_wins() -> None:
    """The second changes nothing and is counted."""
    after = told(start(), end(), frame("GembaSession", {"close_reason": "user_stop"}), end())
    assert after.drops == ["session_ended"]
    assert after.state.close_reason == "provider_exit"


def test_an_ended_session_hears_no_hooks_and_no_reports() -> None:
    """A late tool hook does not bring it back to life."""
    after = told(start(), end(), hook("PreToolUse"), prompt("go"), report("working"))
    assert after.state.status == "completed"
    assert after.drops == ["session_ended"]


def test_a_later_start_reopens_the_session() -> None:
    """Also another client's: the bound one has ended."""
    after = told(start(), end(), start(client="client-2"), prompt("go", client="client-2"))
    assert (after.state.status, after.state.close_reason) == ("working", None)


@pytest.mark.parametrize("state", ["initializing", "ready", "working", "prompting", "stalled"])
def test_a_report_is_the_status_and_touches_no_escalation(state: str) -> None:
    """With its note and work item."""
    after = told(ask(1), report(state, note="n", bead_id="gm-1"))
    assert (after.state.status, after.state.note, after.state.bead_id) == (state, "n", "gm-1")
    assert after.open == {id_of(1)}


def test_a_note_is_about_the_status_that_it_came_with() -> None:
    """What the agent waited for is no news when it works again."""
    after = told(start(), prompt("go"), report("prompting", note="for the key"), hook("PreToolUse"))
    assert (after.state.status, after.state.note) == ("working", None)


@pytest.mark.parametrize("state", ["completed", "failed", "odd"])
def test_terminal_states_cannot_be_reported(state: str) -> None:
    """They come from session ends only."""
    after = told(start(), report(state))
    assert after.drops == ["malformed"]
    assert after.state.status == "ready"


@pytest.mark.parametrize(
    ("lines", "name", "status"),
    [
        ((), "Stop", "ready"),
        ((), "AfterAgent", "ready"),
        ((), "Interrupt", "ready"),
        ((), "StopFailure", "stalled"),
        ((blocker(1),), "Stop", "prompting"),
        ((escalate(1),), "Stop", "prompting"),
        ((ask(1),), "Stop", "ready"),
        ((blocker(1), resolve(1)), "Stop", "ready"),
        ((report("prompting"),), "Stop", "prompting"),
        ((report("prompting"), report("working")), "Stop", "ready"),
        ((report("prompting"), hook("PreToolUse")), "Stop", "ready"),
        ((blocker(1),), "StopFailure", "stalled"),
    ],
)
def test_the_status_after_a_turn(lines: tuple[bytes, ...], name: str, status: str) -> None:
    """Prompting where something blocks or the agent said so, stalled after a failure."""
    after = told(start(), prompt("go"), *lines, hook(name))
    assert after.state.status == status
    assert not after.state.turn.open
    assert not after.state.is_ended


def test_a_report_of_an_earlier_turn_does_not_count() -> None:
    """Only this turn's last one says how it ended."""
    lines = (report("prompting"), hook("Stop"), prompt("go on"), hook("Stop"))
    assert told(start(), prompt("go"), *lines).state.status == "ready"


def test_a_stop_with_background_tasks_is_a_pause() -> None:
    """The turn goes on."""
    before = told(start(), prompt("go"), permission(1))
    after = before.then(hook("Stop", background_tasks=[{"id": 1}]))
    assert after.state == before.state


@pytest.mark.parametrize("name", ["PreToolUse", "BeforeTool", "PostToolUse", "AfterTool"])
def test_a_tool_hook_is_a_sign_of_life(name: str) -> None:
    """The turn is open and the session works, also where no prompt was seen."""
    state = told(start(), hook(name)).state
    assert (state.status, state.turn.open) == ("working", True)


def test_the_end_of_the_tool_that_reported_a_pause_is_no_sign_of_work() -> None:
    """`gemba-state prompting` runs in a tool; the next tool ends the pause."""
    after = told(start(), prompt("go"), report("prompting"), hook("PostToolUse"))
    assert after.state.status == "prompting"
    assert after.then(hook("PreToolUse")).state.status == "working"


@pytest.mark.parametrize("name", ["GembaSkillOutput", "PreCompact", "Tomorrow"])
def test_unknown_hooks_change_nothing(name: str) -> None:
    """They are kept in the log and ignored."""
    before = told(start(), prompt("go"), ask(1))
    after = before.then(frame(name, {"escalation_id": id_of(1)}))
    assert after.state == before.state
    assert not after.changes
