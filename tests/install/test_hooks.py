"""The hooks that install-bridge declares: ours as each client has them, and others' left."""

import json
from pathlib import Path

import pytest

from gemba_core.install.client import Client
from gemba_core.translator import translate
from tests.commands import SCRIPTS, run_cli
from tests.install.files import hooks
from tests.install.strategies import CLIENTS

COMMAND = str(SCRIPTS / "gemba-bridge")


def known_events() -> frozenset[str]:
    """Every hook of an agent that the translator understands."""
    return translate.__globals__["_KNOWN"]  # type: ignore[no-any-return]  # private, and the truth


@pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
def test_only_events_that_are_understood_are_declared(client: Client) -> None:
    """A hook that changes nothing would only cost the agent time."""
    assert set(client.events) <= known_events()


def test_every_event_that_is_understood_is_declared_for_some_client() -> None:
    """The translator waits for nothing that nobody sends."""
    assert set().union(*(client.events for client in CLIENTS)) == known_events()


def test_claude_gets_entries_that_need_no_shell(project: Path) -> None:
    """The command's absolute path, the event as its argument, seconds."""
    assert run_cli("gemba", "install-bridge", "--agent", "claude").returncode == 0
    declared = hooks(project / ".claude" / "settings.local.json")
    entry = {"type": "command", "command": COMMAND, "args": ["Stop"], "timeout": 30}
    assert declared["Stop"] == [{"hooks": [entry]}]


def test_codex_gets_one_command_line(project: Path) -> None:
    """It runs hooks through a shell, and allows a session's end 3 seconds."""
    assert run_cli("gemba", "install-bridge", "--agent", "codex").returncode == 0
    declared = hooks(project / ".codex" / "hooks.json")
    entry = {"type": "command", "command": f"{COMMAND} SessionEnd", "timeout": 3}
    assert declared["SessionEnd"] == [{"hooks": [entry]}]


def test_gemini_gets_milliseconds(project: Path) -> None:
    """Its timeouts are a thousand times those of the others."""
    assert run_cli("gemba", "install-bridge", "--agent", "gemini").returncode == 0
    declared = hooks(project / ".gemini" / "settings.json")
    entry = {"type": "command", "command": f"{COMMAND} BeforeTool", "timeout": 30_000}
    assert declared["BeforeTool"] == [{"hooks": [entry]}]


def test_a_moved_program_is_mended_in_place(project: Path) -> None:
    """An entry of another installation is replaced where it stands, not doubled or moved."""
    path = project / ".codex" / "hooks.json"
    path.parent.mkdir()
    old = {"hooks": [{"type": "command", "command": "/old/bin/gemba-bridge Stop"}]}
    mine = {"hooks": [{"type": "command", "command": "mine"}]}
    path.write_text(json.dumps({"hooks": {"Stop": [old, mine]}}))
    run_cli("gemba", "install-bridge", "--agent", "codex")
    stop = hooks(path)["Stop"]
    assert [one["hooks"][0]["command"] for one in stop] == [f"{COMMAND} Stop", "mine"]


def test_a_hook_that_a_person_put_beside_ours_stays(project: Path) -> None:
    """Ours is taken out of the group that both are in."""
    run_cli("gemba", "install-bridge", "--agent", "claude")
    path = project / ".claude" / "settings.local.json"
    settings = json.loads(path.read_text())
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "mine"})
    path.write_text(json.dumps(settings))
    run_cli("gemba", "install-bridge", "--agent", "claude")
    assert json.loads(path.read_text()) == settings
    run_cli("gemba", "install-bridge", "--agent", "claude", "--uninstall")
    mine = [{"hooks": [{"type": "command", "command": "mine"}]}]
    assert json.loads(path.read_text()) == {"hooks": {"Stop": mine}}


def test_hooks_are_not_declared_in_both_scopes(project: Path) -> None:
    """Codex would run both, and each call would be recorded twice."""
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user")
    done = run_cli("gemba", "install-bridge", "--agent", "codex")
    assert "are declared in" in done.stderr
    assert not (project / ".codex" / "hooks.json").exists()
    assert (project / "AGENTS.md").exists()


def test_hooks_in_both_scopes_are_told(project: Path, tmp_path: Path) -> None:
    """The second one came from another folder, where the first could not be seen."""
    run_cli("gemba", "install-bridge", "--agent", "claude")
    run_cli("gemba", "install-bridge", "--agent", "claude", "--scope", "user", cwd=tmp_path)
    done = run_cli("gemba", "install-bridge", "--agent", "claude")
    assert f"{Path.home()}/.claude/settings.json too" in done.stderr
    assert "--uninstall" in done.stderr


def test_one_file_for_both_scopes_is_no_second_declaration() -> None:
    """In the person's own home folder Codex has but one."""
    for scope in ("project", "user"):
        done = run_cli(
            *("gemba", "install-bridge", "--agent", "codex", "--scope", scope), cwd=Path.home()
        )
        assert "recorded twice" not in done.stderr
        assert "Stop" in hooks(Path.home() / ".codex" / "hooks.json")


def test_an_agent_without_hooks_gets_only_instructions(project: Path) -> None:
    """`hooks = false` in agents.toml."""
    (project / ".gemba").mkdir()
    (project / ".gemba" / "agents.toml").write_text(
        '[[agent]]\nname = "claude"\nbinary = "claude"\nhooks = false\n'
        'interaction_mode = "cautious"\n'
    )
    run_cli("gemba", "install-bridge", "--agent", "claude")
    settings = json.loads((project / ".claude" / "settings.local.json").read_text())
    assert "hooks" not in settings
    assert "cautious mode" in (project / "CLAUDE.md").read_text()
