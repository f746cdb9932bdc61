"""What an agent is told first: as much as the system hands to a program, and no more."""

import os
from pathlib import Path

from tests.commands import run_cli
from tests.operator.desk import told
from tests.waiting import wait_until


def test_a_prompt_that_is_too_long_is_exit_2(root: Path) -> None:
    """Before anything is started; the system would refuse to start the agent."""
    words = ("sessions", "start", "--agent", "idle", "--workspace", "none", "--prompt", "-")
    done = run_cli("gemba", *words, cwd=root, input="x" * 102_401)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--prompt: 102,401 bytes are more than an agent can be told" in done.stderr
    assert told("sessions", "list") == []


def test_what_an_agent_is_told_is_no_longer_than_the_system_takes(root: Path) -> None:
    """With the project's own words; up to there it arrives whole."""
    told_file = Path(os.path.expanduser("~/told"))
    profile = root / ".gemba" / "interaction_profile.md"
    for length, code in ((20_000, 0), (40_000, 1)):
        profile.write_text("# Profile\n\n## balanced\n\n" + "y" * length + "\n")
        words = ("--agent", "told", "--workspace", "none", "--detach", "--prompt", "-")
        done = run_cli("gemba", "sessions", "start", *words, cwd=root, input="x" * 100_000)
        assert done.returncode == code, done.stderr
    wait_until(lambda: told_file.exists() and len(told_file.read_text()) > 120_000, what="it all")
    assert "shorten its preamble" in done.stderr
