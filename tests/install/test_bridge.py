"""install-bridge as people meet it: files in, files out, and what is left alone."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from gemba_core.frame.vocabulary import KINDS, MODES, urgency
from gemba_core.install import bridge, profile
from gemba_core.install.client import Client
from gemba_core.lifelock import LifeLock
from gemba_core.translator import translate
from tests.commands import run_cli
from tests.install.strategies import CLIENTS

COMMAND = str(Path(sys.executable).parent / "gemba-bridge")

CLAUDE_SETTINGS = """\
{
    "permissions": {"allow": ["Bash(npm test:*)"], "deny": []},
    "hooks": {
        "PostToolUse": [
            {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "prettier"}]}
        ]
    },
    "model": "opus"
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands are run in."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file's bytes and every folder below."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def hooks(path: Path) -> dict[str, Any]:
    """The declared hooks by event."""
    found = json.loads(path.read_text())["hooks"]
    assert isinstance(found, dict)
    return found


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


def test_what_was_there_keeps_its_bytes_and_its_order(project: Path) -> None:
    """Ours is added behind; each line of the person's own is still there, in order."""
    path = project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text(CLAUDE_SETTINGS)
    run_cli("gemba", "install-bridge", "--agent", "claude")
    lines = iter(path.read_text().splitlines())
    for line in CLAUDE_SETTINGS.splitlines()[:-2]:
        assert any(line.rstrip(",") == one.rstrip(",") for one in lines), line
    assert hooks(path)["PostToolUse"][0]["matcher"] == "Edit|Write"


@pytest.mark.parametrize("agent", [client.name for client in CLIENTS])
@pytest.mark.parametrize("scope", ["project", "user"])
def test_uninstall_leaves_no_trace(project: Path, agent: str, scope: str) -> None:
    """Files and folders that were not there before are gone again."""
    user = Path.home()
    before = tree(project), tree(user)
    done = run_cli("gemba", "install-bridge", "--agent", agent, "--scope", scope)
    assert done.returncode == 0
    assert (tree(project), tree(user)) != before
    done = run_cli("gemba", "install-bridge", "--agent", agent, "--scope", scope, "--uninstall")
    assert done.returncode == 0
    assert (tree(project), tree(user)) == before
    assert os.listdir(home.installed_dir()) == []


def test_a_second_run_writes_nothing(project: Path) -> None:
    """Not a byte, and not the file anew."""
    run_cli("gemba", "install-bridge", "--agent", "codex")
    path = project / ".codex" / "hooks.json"
    before = path.stat()
    run_cli("gemba", "install-bridge", "--agent", "codex")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_somebody_wrote_since_stays(project: Path) -> None:
    """Only ours is taken out of a file that was changed after the install."""
    path = project / "CLAUDE.md"
    path.write_text("# Rules\n")
    run_cli("gemba", "install-bridge", "--agent", "claude")
    path.write_text(path.read_text() + "\nMore rules.\n")
    run_cli("gemba", "install-bridge", "--agent", "claude", "--uninstall")
    assert path.read_text() == "# Rules\n\nMore rules.\n"


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


def test_uninstall_without_a_record_takes_ours_out(project: Path) -> None:
    """A lost Gemba home costs the exact bytes, not the person's hooks."""
    path = project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text(CLAUDE_SETTINGS)
    run_cli("gemba", "install-bridge", "--agent", "claude")
    for name in os.listdir(home.installed_dir()):
        os.unlink(os.path.join(home.installed_dir(), name))
    run_cli("gemba", "install-bridge", "--agent", "claude", "--uninstall")
    assert json.loads(path.read_text()) == json.loads(CLAUDE_SETTINGS)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', 2, "not valid JSON"),
        ("", 1, "not valid JSON"),
        ('{"a": NaN}', 1, "not valid JSON"),
        ("[]\n", 1, "the settings should be an object"),
        ('{\n  "hooks": []\n}\n', 2, "hooks should be an object"),
        ('{\n  "hooks": {\n    "Stop": {}\n  }\n}\n', 3, "hooks.Stop should be a list"),
        ('{"sandbox": 1}', 1, "sandbox should be an object"),
    ],
)
def test_settings_that_are_not_as_they_should_be_are_left_alone(
    project: Path, text: str, line: int, what: str
) -> None:
    """The error names file and line; no other file is touched either."""
    path = project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text(text)
    before = tree(project)
    done = run_cli("gemba", "install-bridge", "--agent", "claude")
    assert done.returncode == 1
    assert f"{path}:{line}: {what}" in done.stderr
    assert tree(project) == before


def test_a_broken_codex_configuration_is_left_alone(project: Path) -> None:
    """TOML as well; nothing else was written before it was found."""
    path = Path.home() / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text("a = 1\nb = \n")
    done = run_cli("gemba", "install-bridge", "--agent", "codex")
    assert done.returncode == 1
    assert f"{path}:2: not valid TOML" in done.stderr
    assert tree(project) == {}


def test_broken_marks_are_left_alone(project: Path) -> None:
    """Where our block ends is not guessed."""
    path = project / "CLAUDE.md"
    path.write_text("a\n<!-- gemba:begin -->\nb\n")
    done = run_cli("gemba", "install-bridge", "--agent", "claude")
    assert done.returncode == 1
    assert f"{path}:2: the marks" in done.stderr


def test_a_link_is_written_through(project: Path) -> None:
    """The link stays, its target changes, keeps its mode, and is restored."""
    kept = project / "dotfiles"
    kept.mkdir()
    target, link = kept / "claude.json", project / ".claude" / "settings.local.json"
    target.write_text(CLAUDE_SETTINGS)
    target.chmod(0o640)
    link.parent.mkdir()
    link.symlink_to(target)
    run_cli("gemba", "install-bridge", "--agent", "claude")
    assert link.is_symlink()
    assert "gemba-bridge" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    run_cli("gemba", "install-bridge", "--agent", "claude", "--uninstall")
    assert link.is_symlink()
    assert target.read_text() == CLAUDE_SETTINGS


def test_one_instruction_file_for_two_agents(project: Path) -> None:
    """CLAUDE.md linked to AGENTS.md has one block, until the last of both is uninstalled."""
    both = project / "AGENTS.md"
    both.write_text("# Rules\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    run_cli("gemba", "install-bridge", "--agent", "claude")
    run_cli("gemba", "install-bridge", "--agent", "codex")
    assert both.read_text().count("gemba:begin") == 1
    done = run_cli("gemba", "install-bridge", "--agent", "claude", "--uninstall")
    assert f"still needed by codex project {project}" in done.stdout
    assert both.read_text().count("gemba:begin") == 1
    run_cli("gemba", "install-bridge", "--agent", "codex", "--uninstall")
    assert both.read_text() == "# Rules\n"


def test_the_sandbox_leave_stays_while_another_project_needs_it(
    project: Path, tmp_path: Path
) -> None:
    """Codex's own configuration is shared by all projects."""
    other = tmp_path / "other"
    other.mkdir()
    config = Path.home() / ".codex" / "config.toml"
    for folder in (project, other):
        run_cli("gemba", "install-bridge", "--agent", "codex", cwd=folder)
    run_cli("gemba", "install-bridge", "--agent", "codex", "--uninstall", cwd=other)
    assert home.sessions_dir() in config.read_text()
    run_cli("gemba", "install-bridge", "--agent", "codex", "--uninstall", cwd=project)
    assert not config.exists()


def test_the_sessions_folder_and_nothing_else_of_the_home_becomes_writable(project: Path) -> None:
    """And it is there: a sandbox leaves out folders that are not."""
    config = Path.home() / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('# mine\n[sandbox_workspace_write]\nwritable_roots = ["/a"] # A\n')
    run_cli("gemba", "install-bridge", "--agent", "codex")
    assert config.read_text() == (
        f'# mine\n[sandbox_workspace_write]\nwritable_roots = ["/a", "{home.sessions_dir()}"] # A\n'
    )
    assert stat.S_IMODE(os.stat(home.sessions_dir()).st_mode) == 0o700


def test_a_projects_own_list_gets_the_folder_too(project: Path) -> None:
    """Codex takes the project's list instead of the person's, not beside it."""
    config = project / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('[sandbox_workspace_write]\nwritable_roots = ["/b"]\n')
    run_cli("gemba", "install-bridge", "--agent", "codex")
    assert home.sessions_dir() in config.read_text()
    run_cli("gemba", "install-bridge", "--agent", "codex", "--uninstall")
    assert config.read_text() == '[sandbox_workspace_write]\nwritable_roots = ["/b"]\n'


def test_hooks_are_not_declared_in_both_scopes(project: Path) -> None:
    """Codex would run both, and each call would be recorded twice."""
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user")
    done = run_cli("gemba", "install-bridge", "--agent", "codex")
    assert "are declared in" in done.stderr
    assert not (project / ".codex" / "hooks.json").exists()
    assert (project / "AGENTS.md").exists()


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


def test_a_dry_run_shows_the_difference_and_writes_nothing(project: Path, tmp_path: Path) -> None:
    """A unified diff of every file."""
    (project / "AGENTS.md").write_text("# Rules\n")
    before = tree(tmp_path), tree(Path.home())
    done = run_cli("gemba", "install-bridge", "--agent", "codex", "--dry-run")
    assert f"--- {project}/AGENTS.md\n+++ {project}/AGENTS.md\n" in done.stdout
    assert f"--- /dev/null\n+++ {project}/.codex/hooks.json\n" in done.stdout
    assert "\n+<!-- gemba:begin -->\n" in done.stdout
    assert (tree(tmp_path), tree(Path.home())) == before


def test_the_originals_are_kept_for_the_person_alone(project: Path) -> None:
    """Copies of settings hold what settings hold: 0600 in 0700."""
    (project / "CLAUDE.md").write_text("# Rules\n")
    run_cli("gemba", "install-bridge", "--agent", "claude")
    folder = Path(home.installed_dir())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()} == {0o600}
    assert b"# Rules\n" in {one.read_bytes() for one in folder.glob("*.orig")}


def test_a_failed_write_leaves_the_file_whole(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new content gets the name only once it is whole on the disk."""
    path = project / "CLAUDE.md"
    path.write_text("# Rules\n")

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    (project / ".codex").mkdir()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        bridge.install(bridge.CLIENTS["claude"], "project", str(project), body="Ask.")
    assert tree(project) == {"CLAUDE.md": b"# Rules\n", ".claude": None, ".codex": None}


def test_a_second_install_at_the_same_time_is_told_to_wait(project: Path) -> None:
    """One writer at a time."""
    with LifeLock(os.path.join(home.installed_dir(), "install.lock")) as lock:
        assert lock.take()
        done = run_cli("gemba", "install-bridge", "--agent", "claude")
    assert done.returncode == 1
    assert "at work" in done.stderr
    assert tree(project) == {}


def test_hooks_that_are_switched_off_are_told(project: Path) -> None:
    """What was installed would never run."""
    path = project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text('{"disableAllHooks": true}')
    done = run_cli("gemba", "install-bridge", "--agent", "claude")
    assert f"{path}: disableAllHooks is true" in done.stderr


def test_claudes_folder_may_be_elsewhere(project: Path, tmp_path: Path) -> None:
    """CLAUDE_CONFIG_DIR is honoured."""
    elsewhere = tmp_path / "elsewhere"
    run_cli(
        *("gemba", "install-bridge", "--agent", "claude", "--scope", "user"),
        env={"CLAUDE_CONFIG_DIR": str(elsewhere)},
    )
    assert "Stop" in hooks(elsewhere / "settings.json")
    assert (elsewhere / "CLAUDE.md").exists()


def test_what_is_left_to_do_is_said(project: Path) -> None:
    """Codex runs no hook that its person has not trusted."""
    done = run_cli("gemba", "install-bridge", "--agent", "codex", "--json")
    told = json.loads(done.stdout)
    assert [one["action"] for one in told["files"]] == ["created"] * 3
    assert any("/hooks" in line for line in told["next"])


def test_a_shell_is_told_what_its_start_needs(project: Path) -> None:
    """There is no file to edit; what is printed makes an environment in which asking works."""
    done = run_cli("gemba", "install-bridge", "--agent", "shell")
    assert done.returncode == 0
    assert tree(project) == {}
    exports = "".join(line + "\n" for line in done.stdout.splitlines() if "export" in line)
    script = project / "start.sh"
    script.write_text(exports + 'exec gemba-ask --kind question --role coach --text "Which?"\n')
    asked = subprocess.run(["sh", str(script)], capture_output=True, text=True, check=True)
    assert "Asked (advisory)" in asked.stdout


@pytest.mark.parametrize("mode", MODES)
def test_the_block_has_the_matrix_and_the_modes_section(mode: str) -> None:
    """Each mode says something else; the table is that of the vocabulary."""
    text = profile.block(mode, None, "")
    for row in MODES:
        words = [urgency(row, kind) or "refused" for kind in KINDS]
        assert any(
            line.startswith(f"| {row} |") and all(word in line for word in words)
            for line in text.splitlines()
        )
    assert ("record the assumption" in text.partition("The answer comes")[0]) == (
        mode == "dangerous"
    )


def test_the_workspaces_own_profile_counts() -> None:
    """Its section up to the next heading; a heading in a code block is none."""
    own = "# P\n## balanced\nAsk Ann.\n```\n## cautious\n```\n### Sub\nx\n## cautious\nNo.\n"
    text = profile.block("balanced", own, "p.md")
    assert "Ask Ann.\n```\n## cautious\n```\n### Sub\nx\n\nThe answer" in text
    with pytest.raises(Exception, match=r"p\.md: nothing under '## dangerous'"):
        profile.block("dangerous", own, "p.md")
