"""install-bridge as people meet it: files in, files out, and what is left alone."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.install import bridge
from gemba_core.lifelock import LifeLock
from tests.commands import run_cli
from tests.install.files import hooks, tree
from tests.install.strategies import CLIENTS

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


def test_claudes_folder_may_be_elsewhere(project: Path, tmp_path: Path) -> None:
    """CLAUDE_CONFIG_DIR is honoured."""
    elsewhere = tmp_path / "elsewhere"
    run_cli(
        *("gemba", "install-bridge", "--agent", "claude", "--scope", "user"),
        env={"CLAUDE_CONFIG_DIR": str(elsewhere)},
    )
    assert "Stop" in hooks(elsewhere / "settings.json")
    assert (elsewhere / "CLAUDE.md").exists()


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
