"""The interaction profile, as a block in an agent's instruction file."""

from pathlib import Path

import pytest

from gemba_core.frame.vocabulary import KINDS, MODES, urgency
from gemba_core.install import profile
from tests.commands import run_cli


def test_broken_marks_are_left_alone(project: Path) -> None:
    """Where our block ends is not guessed."""
    path = project / "CLAUDE.md"
    path.write_text("a\n<!-- gemba:begin -->\nb\n")
    done = run_cli("gemba", "install-bridge", "--agent", "claude")
    assert done.returncode == 1
    assert f"{path}:2: the marks" in done.stderr


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
