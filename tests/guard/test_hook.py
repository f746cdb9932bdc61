"""The hook before a tool: recorded, judged, and refused in the client's own shape."""

import json
import os
from pathlib import Path

import pytest

from tests.guard.calls import Workspace, made, refusal
from tests.inbox.scene import frames


@pytest.mark.parametrize("client", ["claude", "codex"])
def test_claude_and_codex_are_told_in_their_shape(place: Workspace, client: str) -> None:
    """No key more than these: Codex refuses others."""
    done = place.call("Bash", {"command": "cat ../secret/file"}, client=client)
    answer = json.loads(done.stdout)
    said = answer.pop("hookSpecificOutput")
    assert answer == {}
    assert said.pop("permissionDecisionReason").startswith("Gemba's surface guard: ")
    assert said == {"hookEventName": "PreToolUse", "permissionDecision": "deny"}


def test_gemini_is_told_in_its_shape(place: Workspace) -> None:
    """A decision and a reason."""
    done = place.call("read_file", {"absolute_path": "/etc/passwd"}, client="gemini")
    answer = json.loads(done.stdout)
    assert answer.pop("reason").startswith("Gemba's surface guard: ")
    assert answer == {"decision": "deny"}


@pytest.mark.parametrize(
    ("hook", "key"), [("PreToolUse", "hookSpecificOutput"), ("BeforeTool", "reason")]
)
def test_a_client_without_a_name_is_known_by_its_hook(
    place: Workspace, hook: str, key: str
) -> None:
    """The environment of a hook does not always tell the agent."""
    given = json.dumps({"tool_name": "Bash", "tool_input": {"command": "cat /etc/passwd"}})
    assert key in json.loads(place.hook(given, client="", hook=hook).stdout)


def test_a_call_within_the_surface_is_let_through_without_a_word(place: Workspace) -> None:
    """Nothing on standard output: the client's own rules decide."""
    done = place.call("Write", {"file_path": str(place.work / "new"), "content": "/etc/passwd"})
    assert (done.stdout, done.stderr) == ("", "")


def test_a_refused_call_is_on_the_record(place: Workspace) -> None:
    """The frame comes first."""
    assert refusal(place.call("Read", {"file_path": "/etc/passwd"}))
    assert [frame["hook"] for frame in frames()] == ["PreToolUse"]


def test_without_a_surface_nothing_is_refused(tmp_path: Path) -> None:
    """Sessions are free unless somebody limits them."""
    place = made(tmp_path)
    assert refusal(place.call("Read", {"file_path": "/etc/passwd"})) is None


def test_another_session_s_surface_is_not_this_one_s(place: Workspace) -> None:
    """Each session has its own file."""
    place.surface.rename(place.surface.with_name("s2.json"))
    assert refusal(place.call("Read", {"file_path": "/etc/passwd"})) is None


@pytest.mark.parametrize("hook", ["PostToolUse", "Stop", "UserPromptSubmit"])
def test_other_hooks_are_not_guarded(place: Workspace, hook: str) -> None:
    """They come too late, or touch nothing."""
    given = json.dumps({"tool_name": "Read", "tool_input": {"file_path": "/etc/passwd"}})
    assert place.hook(given, hook=hook).stdout == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"read": []}',
        '{"write": ["/"]}',
        '{"read": [], "write": "/"}',
        '{"read": [], "write": [1]}',
        '{"read": [], "write": ["relative"]}',
        '{"read": [], "write": ["/a\\u0000b"]}',
        '{"read": [], "write": ["/"], "more": []}',
        '{"read": null, "write": ["/"]}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_file_that_is_no_surface_refuses_every_call(place: Workspace, text: str) -> None:
    """And says which file, so that somebody can mend it."""
    place.surface.write_bytes(os.fsencode(text))
    said = refusal(place.call("Read", {"file_path": str(place.work / "file")}))
    assert said is not None
    assert str(place.surface) in said


def test_a_surface_that_cannot_be_read_refuses_every_call(place: Workspace) -> None:
    """A folder in its place, or a link that leads nowhere."""
    place.surface.unlink()
    place.surface.symlink_to("nowhere")
    assert refusal(place.call("Read", {"file_path": str(place.work / "file")}))
    place.surface.unlink()
    place.surface.mkdir()
    assert refusal(place.call("Read", {"file_path": str(place.work / "file")}))


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"no JSON",
        b"[]",
        b"{}",
        b'{"tool_name": 7, "tool_input": {}}',
        b"\xff",
        b'{"tool_name": "Read", "tool_input": {"file_path": "a\\u0000b"}}',
        b'{"tool_name": "Read", "tool_input": {"file_path": "\\ud800"}}',
        b'{"tool_name": "X", "tool_input": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"tool_name": "Write", "tool_input": {"content": "' + b"x" * (1 << 20) + b'"}}',
    ],
    ids=range(10),
)
def test_a_call_that_cannot_be_judged_is_refused(place: Workspace, given: bytes) -> None:
    """Whatever it is, it may lead anywhere."""
    assert refusal(place.hook(given))


def test_a_log_that_cannot_be_written_opens_no_way_out(place: Workspace) -> None:
    """The guard does not depend on the record."""
    (place.root / "home" / "sessions").write_text("in the way")
    done = place.call("Read", {"file_path": "/etc/passwd"})
    assert "gemba-bridge: " in done.stderr
    assert refusal(done)
