"""GembaSkill: which skill leads a session's turn, and until when."""

import pytest

from gemba_core.translator.change import Dropped
from gemba_core.translator.state import Lead, SessionState
from tests.builders import CLIENT, frame, hook, prompt, report, start, told


def leads(skill: object = "tdd", **more: object) -> bytes:
    """GembaSkill."""
    return frame("GembaSkill", {"skill": skill, "path": "/s/tdd.md", "client": CLIENT, **more})


def test_a_skill_leads_with_its_tools() -> None:
    """Also none at all, which is another thing than no limit."""
    assert told(start(), prompt("$tdd"), leads()).state.lead == Lead("tdd")
    limited = told(start(), prompt("$tdd"), leads(tools=["Read"])).state.lead
    assert limited == Lead("tdd", ("Read",))
    assert told(start(), leads(tools=[])).state.lead == Lead("tdd", ())


@pytest.mark.parametrize(
    "line",
    [
        hook("Stop"),
        hook("StopFailure"),
        hook("Interrupt"),
        prompt("go on"),
        hook("SessionEnd", reason="logout"),
        hook("SessionStart", source="clear"),
    ],
)
def test_it_leads_until_the_turn_ends_or_a_prompt_comes(line: bytes) -> None:
    """Within a turn too: an interrupt is told by no hook."""
    assert told(start(), prompt("$tdd"), leads(), line).state.lead is None


@pytest.mark.parametrize(
    "line",
    [
        hook("PreToolUse", tool_name="Read"),
        hook("PostToolUse", tool_name="Read"),
        hook("Stop", background_tasks=[{"id": 1}]),
        hook("SessionStart", source="compact"),
        hook("Stop", client="a child"),
        report("prompting"),
        leads("other", client="a child"),
    ],
)
def test_it_goes_on_leading(line: bytes) -> None:
    """While the turn does, and whatever a child does."""
    assert told(start(), prompt("$tdd"), leads(), line).state.lead == Lead("tdd")


def test_the_next_one_leads_instead() -> None:
    """There is one at most."""
    assert told(start(), leads(tools=["Read"]), leads("other")).state.lead == Lead("other")


def test_a_state_is_stored_with_what_leads() -> None:
    """And read back as it was."""
    state = told(start(), leads(tools=["Read"])).state
    assert SessionState.decoded(state.encoded()) == state


@pytest.mark.parametrize("more", [{"skill": 7}, {"tools": "Read"}, {"tools": [1]}])
def test_a_malformed_frame_changes_nothing(more: dict[str, object]) -> None:
    """And is counted."""
    found = told(start(), leads(**more))
    assert found.state.lead is None
    assert [one.reason for one in found.changes if isinstance(one, Dropped)] == ["malformed"]


def test_nothing_leads_a_session_that_has_ended() -> None:
    """The frame came too late."""
    assert told(start(), hook("SessionEnd", reason="logout"), leads()).state.lead is None
