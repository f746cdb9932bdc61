"""What install-bridge says of a project that a person would not expect."""

from pathlib import Path

import pytest

from gemba_core import home
from tests.commands import run_cli


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the commands run in."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def remarks(*args: str) -> str:
    """What is said on standard error."""
    return run_cli("gemba", "install-bridge", "--agent", *args).stderr


def test_a_file_of_the_persons_own_is_named() -> None:
    """Codex has its sandbox's folders there; a second time nothing of it changes."""
    said = f"{home.codex_dir()}/config.toml is yours"
    assert said in remarks("codex")
    assert said not in remarks("codex")


def test_paths_of_this_machine_in_what_one_commits_are_named(project: Path) -> None:
    """Claude Code keeps them in a file that is never committed."""
    said = "names programs by this machine's paths"
    assert f"{project}/.codex/hooks.json {said}" in remarks("codex")
    assert said not in remarks("claude")


def test_nothing_of_this_is_said_for_the_user() -> None:
    """There it is expected."""
    said = remarks("codex", "--scope", "user")
    assert "yours" not in said
    assert "commit" not in said
