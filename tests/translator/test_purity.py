"""The fold as a whole: pure, total, and the same in one go or in pieces."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gemba_core.translator import Change, SessionState, fold, translate
from gemba_core.translator.change import Dropped, Opened
from tests.builders import ask, decoded, hook, id_of, prompt, report, start, told
from tests.strategies import FRAMES, ODD_FRAMES, SESSIONS

ANY_FRAMES = st.lists(FRAMES | ODD_FRAMES, max_size=40)


def folded(
    lines: list[bytes], states: dict[str, SessionState] | None = None
) -> tuple[dict[str, SessionState], list[tuple[str, Change]]]:
    """The states after these lines of the log `a_b`, and the changes by session."""
    states = dict(states or {})
    changes: list[tuple[str, Change]] = []

    def note(state: SessionState, some: tuple[Change, ...]) -> None:
        changes.extend((state.session_id, change) for change in some)

    fold("a_b", states, map(decoded, lines), note)
    return states, changes


@given(ANY_FRAMES)
def test_any_frames_in_any_order_are_folded(lines: list[bytes]) -> None:
    """No crash; the books balance: each opened escalation is open or closed, never both."""
    states, changes = folded(lines)
    for session_id, state in states.items():
        opened = {c.id for s, c in changes if s == session_id and isinstance(c, Opened)}
        still, closed = set(state.open.keys()), set(state.closed.keys())
        assert still | closed == opened
        assert not still & closed
        dialogs = [item for item in state.open.values() if item.channel == "notification"]
        assert state.dialogs == len(dialogs)
        assert state.count == len(opened)


@given(ANY_FRAMES)
def test_translate_changes_neither_state_nor_frame(lines: list[bytes]) -> None:
    """The same state and frame give the same again."""
    state = SessionState(SESSIONS[0])
    for line in lines:
        before, one = state.encoded(), decoded(line)
        after, changes = translate(state, one)
        assert state.encoded() == before
        assert (after, changes) == translate(state, one)
        state = after


@given(ANY_FRAMES)
def test_every_split_gives_the_same(lines: list[bytes]) -> None:
    """Stopped anywhere, stored, loaded and taken up again: equal states, equal changes."""
    whole = folded(lines)
    for split in range(len(lines) + 1):
        states, before = folded(lines[:split])
        stored = {key: SessionState.decoded(state.encoded()) for key, state in states.items()}
        states, after = folded(lines[split:], stored)
        assert (states, before + after) == whole


@given(ANY_FRAMES)
def test_sessions_that_share_a_log_do_not_touch_each_other(lines: list[bytes]) -> None:
    """Each session's rows come from its own frames alone."""
    states, changes = folded(lines)
    for session_id in SESSIONS:
        own = [line for line in lines if decoded(line).session_id == session_id]
        own_states, own_changes = folded(own)
        assert states.get(session_id) == own_states.get(session_id)
        assert [change for change in changes if change[0] == session_id] == own_changes


@given(st.lists(FRAMES, max_size=40))
def test_what_the_fold_skips_would_have_changed_nothing(lines: list[bytes]) -> None:
    """A batch is read fast, and gives what each frame alone gives once the client is known."""
    frames = [decoded(start(agent_type="codex"))]
    frames += [replace(decoded(line), session_id="s", agent_type="codex") for line in lines]
    states = {"s": SessionState("s")}
    changes: list[Change] = []
    expected: list[Change] = []
    fold("s", states, frames, lambda _, some: changes.extend(some))
    state = SessionState("s")
    for one in frames:
        state, some = translate(state, one)
        expected += some
    assert states["s"] == state
    assert changes == expected


def test_a_pause_that_was_reported_before_a_second_prompt_is_ended_by_the_next_tool() -> None:
    """In a batch as one by one."""
    lines = [start(), prompt("go"), report("prompting"), prompt("and"), hook("PreToolUse")]
    lines.append(hook("Stop"))
    states: dict[str, SessionState] = {}
    fold("s", states, map(decoded, lines), lambda *_: None)
    assert states["s"] == told(*lines).state
    assert states["s"].status == "ready"


def test_a_frame_in_the_wrong_log_counts_nowhere() -> None:
    """A log is a closed world: what another file's session says here is counted as such."""
    states, changes = folded([ask(1, session="elsewhere"), ask(2, session="a/b")])
    assert list(states) == ["a/b"]
    assert [change for _, change in changes if isinstance(change, Dropped)] == [
        Dropped("elsewhere", "GembaAsk", id_of(1), "wrong_log")
    ]


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", b"\x91\x01"])
def test_a_state_of_other_bytes_is_refused(data: bytes) -> None:
    """Then the log is read anew."""
    with pytest.raises(msgspec.MsgspecError):
        SessionState.decoded(data)
