"""A workspace with a surface, and calls of tools in it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from gemba_core.clients import CLAUDE
from gemba_core.surface import load, touches_of_call
from tests.commands import run_cli

HOOKS = {"claude": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}


@dataclass(frozen=True)
class Workspace:
    """`work` may be written, `library` read; `secret` neither."""

    root: Path

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def surface(self) -> Path:
        return self.root / "home" / "surfaces" / "s1.json"

    def limit(self, text: str | None = None) -> None:
        """Write the surface file, or that text in its place."""
        folders = {"read": [str(self.root / "library")], "write": [str(self.work)]}
        self.surface.parent.mkdir(parents=True, exist_ok=True)
        self.surface.write_text(json.dumps(folders) if text is None else text)

    def call(
        self,
        tool: str,
        tool_input: Mapping[str, Any],
        *,
        client: str = "claude",
        cwd: Path | None = None,
    ) -> CompletedProcess[str]:
        """The hook before that tool, as the client calls it."""
        given = {"tool_name": tool, "tool_input": tool_input, "cwd": str(cwd or self.work)}
        return self.hook(json.dumps(given), client=client)

    def hook(
        self, given: str | bytes, *, client: str = "claude", hook: str | None = None
    ) -> CompletedProcess[str]:
        """The hook with that input."""
        env = {"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": client}
        done = run_cli("gemba-bridge", hook or HOOKS[client], input=given, env=env)
        assert done.returncode == 0
        return done


def made(root: Path) -> Workspace:
    """The folders, with a file in each, and links and hooks in the workspace."""
    for name in ("work/sub", "library", "secret", "work/.claude"):
        (root / name).mkdir(parents=True)
    for name in ("work/file", "work/sub/file", "library/file", "secret/file"):
        (root / name).write_text("text\n")
    (root / "work" / "out").symlink_to(root / "secret")
    (root / "work" / "inner").symlink_to(root / "work" / "sub")
    (root / "work" / ".claude" / "settings.json").write_text("{}")
    return Workspace(root)


def refusal(done: CompletedProcess[str]) -> str | None:
    """Why the client was told to refuse the call, in whichever shape; None if it was not."""
    if not done.stdout:
        return None
    answer = json.loads(done.stdout)
    said = answer.get("hookSpecificOutput", answer)
    assert "deny" in (said.get("permissionDecision"), said.get("decision"))
    reason = said.get("permissionDecisionReason") or said.get("reason")
    assert isinstance(reason, str)
    return reason


def bash_refusals(place: Workspace, command: str, folder: str = "work") -> list[str]:
    """Why that command is refused in that folder."""
    surface = load(str(place.surface))
    here = str(place.root / folder)
    touches = touches_of_call(CLAUDE, "Bash", {"command": command}, here)
    return [said for touch in touches if (said := surface.refusal(touch))]


def listed(text: str) -> list[str]:
    """The commands, one a line; ⏎ is a line break within one."""
    return [line.replace("⏎", "\n") for line in text.strip("\n").split("\n")]
