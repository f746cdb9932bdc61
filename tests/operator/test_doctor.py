"""`gemba doctor`: what it finds, and what it says to do."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.commands import run_cli

Finding = dict[str, str]

# As Codex 0.169.0 calls the events in its config.toml, where it notes which hooks are trusted.
CODEX_EVENTS = (
    "interrupt",
    "permission_request",
    "post_tool_use",
    "pre_tool_use",
    "session_end",
    "session_start",
    "stop",
    "subagent_start",
    "subagent_stop",
    "user_prompt_submit",
)


def _findings(status: int = 0, env: Mapping[str, str] | None = None) -> dict[str, Finding]:
    return {finding["check"]: finding for finding in _all_findings(status, env)}


def _hooks_of(client: str) -> list[Finding]:
    return [found for found in _all_findings() if found["check"] == f"{client} hooks"]


def _all_findings(status: int = 0, env: Mapping[str, str] | None = None) -> list[Finding]:
    done = run_cli("gemba", "doctor", "--json", env=env)
    assert done.returncode == status, done.stderr
    found: list[Finding] = json.loads(done.stdout)
    return found


def test_a_fresh_home_is_in_order() -> None:
    """The round trip is a real one, and its session is gone afterwards."""
    found = _findings()
    assert found["ask and answer"]["status"] == "ok"
    assert list((Path(os.environ["GEMBA_HOME"]) / "sessions").glob("*.jsonl")) == []


def test_a_home_that_cannot_be_written_fails_and_says_what_to_do() -> None:
    """The exit code is 1, so that a script notices."""
    Path(os.environ["GEMBA_HOME"]).write_text("mine")
    found = _findings(status=1)
    assert found["home"]["status"] == "failed"
    assert "GEMBA_HOME" in found["home"]["todo"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("2.1.139 (Claude Code)", None),
        ("3.0.0 (Claude Code)", None),
        ("2.1.99 (Claude Code)", "warning"),
        ("what?", "warning"),
    ],
)
def test_a_claude_that_does_not_understand_its_hooks_is_told(
    said: str, status: str | None, tmp_path: Path
) -> None:
    """Its version is asked where our hooks are installed, and the warning says what to do."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "claude").write_text(f"#!/bin/sh\necho '{said}'\n")
    (programs / "claude").chmod(0o755)
    env = {"PATH": f"{programs}:{os.environ['PATH']}"}
    assert "claude version" not in _findings(env=env)
    run_cli("gemba", "install-bridge", "--agent", "claude", "--scope", "user", env=env)
    found = _findings(env=env).get("claude version")
    assert (found["status"] if found else None) == status
    if found:
        assert "2.1.139" in found["todo"]


def test_hooks_that_their_own_file_switches_off_are_told() -> None:
    """They are declared, but Codex reads none beside a key that it does not know."""
    path = Path.home() / ".codex" / "hooks.json"
    path.parent.mkdir()
    path.write_text('{"hooks": {}, "version": 1}')
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user")
    found = _hooks_of("codex")
    assert any("version" in one["detail"] for one in found if one["status"] == "warning")
    assert not any(one["status"] == "ok" for one in found)


def test_hooks_that_are_declared_twice_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the project, and from another folder for the user."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    run_cli("gemba", "install-bridge", "--agent", "claude")
    run_cli("gemba", "install-bridge", "--agent", "claude", "--scope", "user", cwd=tmp_path)
    [found] = [one for one in _hooks_of("claude") if one["status"] == "warning"]
    assert "twice" in found["detail"]
    assert "--uninstall" in found["todo"]


def test_codex_hooks_are_told_until_codex_has_noted_that_they_are_trusted() -> None:
    """It notes a digest for each of them in its own config.toml, and runs none without."""
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user")
    [found] = _hooks_of("codex")
    assert found["status"] == "warning"
    assert "/hooks" in found["todo"]
    folder = Path.home() / ".codex"
    notes = "".join(
        f'[hooks.state."{folder}/hooks.json:{event}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for event in CODEX_EVENTS
    )
    with (folder / "config.toml").open("a") as config:
        config.write(f"\n{notes}")
    [found] = _hooks_of("codex")
    assert found["status"] == "ok"


def test_a_home_that_cannot_be_made_leaves_the_other_checks(tmp_path: Path) -> None:
    """Each that needs it says where and what to do; the rest is checked all the same."""
    (tmp_path / "file").write_text("")
    found = _findings(status=1, env={"GEMBA_HOME": str(tmp_path / "file" / "home")})
    assert found["gemba"]["status"] == "ok"
    assert found["space"]["status"] == "failed"
    assert "set GEMBA_HOME" in found["space"]["detail"]


def test_an_agents_file_with_a_mistake_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its line, as `gemba run` tells it."""
    path = tmp_path / ".gemba" / "agents.toml"
    path.parent.mkdir()
    path.write_text('[[agent]]\nname = "a"\nbinary = "a"\ninteraction_mode = "causious"\n')
    monkeypatch.chdir(tmp_path)
    found = _findings(status=1)["agents"]
    assert found["status"] == "failed"
    assert f"{path}:4: " in found["detail"]


def test_a_log_that_others_can_read_is_told() -> None:
    """Logs hold prompts and secrets."""
    folder = Path(os.environ["GEMBA_HOME"]) / "sessions"
    folder.mkdir(parents=True, mode=0o700)
    folder.parent.chmod(0o700)
    (folder / "a.jsonl").write_text("")
    (folder / "a.jsonl").chmod(0o644)
    assert "a.jsonl" in _findings()["modes"]["detail"]


def test_lines_that_are_no_frames_are_told() -> None:
    """With the command that names each of them."""
    folder = Path(os.environ["GEMBA_HOME"]) / "sessions"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text("nonsense\n")
    found = _findings()["logs"]
    assert (found["status"], found["todo"]) == ("warning", "gemba log verify")


def test_a_clock_that_went_back_is_told() -> None:
    """The newest record lies ahead of now."""
    folder = Path(os.environ["GEMBA_HOME"]) / "sessions"
    folder.mkdir(parents=True)
    frame = {
        "ts": "2999-01-01T00:00:00.000000Z",
        "session_id": "a",
        "agent_type": "",
        "hook": "GembaState",
        "event_id": "0" * 16,
        "payload": {"state": "ready"},
    }
    (folder / "a.jsonl").write_text(json.dumps(frame) + "\n")
    assert _findings()["clock"]["status"] == "warning"
