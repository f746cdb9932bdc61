"""What install-bridge says beside what it changes: surprises, and what is left to do."""

import json
from pathlib import Path

import pytest

from gemba_core import home
from tests.commands import run_cli

pytestmark = pytest.mark.usefixtures("project")


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


@pytest.mark.parametrize(
    ("agent", "file", "text", "why"),
    [
        ("claude", ".claude/settings.local.json", '{"disableAllHooks": true}', "disableAllHooks"),
        ("codex", ".codex/hooks.json", '{"hooks": {}, "version": 1}', "version"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "hooksConfig"),
    ],
)
def test_hooks_that_will_not_run_are_told(
    project: Path, agent: str, file: str, text: str, why: str
) -> None:
    """What was installed would do nothing, by the very file that it stands in."""
    path = project / file
    path.parent.mkdir()
    path.write_text(text)
    [line] = [line for line in remarks(agent).splitlines() if "so no hook runs" in line]
    assert line.startswith(f"gemba: {path}: ")
    assert why in line


def test_what_is_left_to_do_is_said(project: Path) -> None:
    """Codex runs no hook that its person has not trusted."""
    done = run_cli("gemba", "install-bridge", "--agent", "codex", "--json")
    told = json.loads(done.stdout)
    assert [one["action"] for one in told["files"]] == ["created"] * 3
    assert any("/hooks" in line for line in told["next"])
