"""The folder of the logs, writable from within a client's sandbox."""

import os
import stat
from pathlib import Path

from gemba_core import home
from tests.commands import run_cli


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
