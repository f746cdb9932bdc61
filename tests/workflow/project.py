"""A project with script-driven skills, and an agent that does what a test has scripted."""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from gemba_core.processes import parent
from tests.commands import SCRIPTS, environment, run_cli
from tests.waiting import wait_until

# Reads its prompt, notes in `runs` what it was run for, and does what the test says with $out.
_AGENT = """\
prompt=$(cat)
out=$(printf '%s\\n' "$prompt" |
  sed -n 's/^What you print at the end becomes `\\([^`]*\\)`.*/\\1/p')
printf '%s\\n' "$out" >> {runs}
respond() {{ {gemba} workflow respond "$@"; }}
{does}
"""
ECHO = 'echo "result of $out"'
# `respond success well`, in no time.
SAY_WELL = (
    """printf '{"status":"success","message":"well"}' > "$GEMBA_WORKFLOW_ACTION/response.json\""""
)


@dataclass(frozen=True)
class Project:
    """A folder with `skills/` and `.gemba/agents.toml`; commands are run in it."""

    root: Path

    def skill(
        self,
        machine: str,
        phases: Mapping[str, str] | None = None,
        *,
        name: str = "probe",
        file: str = "next-step.py",
    ) -> Path:
        """Write the skill; its folder."""
        folder = self.root / "skills" / name
        (folder / "phases").mkdir(parents=True)
        (folder / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: A probe.\n---\n# Probe\n"
        )
        (folder / file).write_text(machine)
        for phase, text in (phases or {}).items():
            (folder / "phases" / phase).write_text(text)
        return folder

    def agent(self, does: str = ECHO, *more: str) -> None:
        """Have the agent do that, a piece of shell; `more` are further lines of its entry."""
        script = self.root / "agent.sh"
        words = {"runs": shlex.quote(str(self.root / "runs")), "gemba": str(SCRIPTS / "gemba")}
        script.write_text(_AGENT.format(does=does, **words))
        own = self.root / ".gemba"
        own.mkdir(exist_ok=True)
        lines = ["[[agent]]", 'name = "scripted"', f'command = ["sh", "{script}"]', *more]
        (own / "agents.toml").write_text("\n".join(lines) + "\n")

    def runs(self) -> list[str]:
        """The outputs that the agent was run for, in their order."""
        path = self.root / "runs"
        return path.read_text().splitlines() if path.exists() else []

    def gemba(self, *args: str, env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
        """`gemba workflow …` to its end; nobody sees a traceback of ours."""
        return run_cli("gemba", "workflow", *args, env=env, cwd=self.root, timeout=60)

    def run(self, *args: str, workspace: str = "ws", skill: str = "probe") -> CompletedProcess[str]:
        """`gemba workflow run` there."""
        return self.gemba("run", skill, workspace, *args)

    def events(self, workspace: str = "ws") -> list[dict[str, Any]]:
        """The journal."""
        path = self.root / workspace / ".workflow" / "journal.jsonl"
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        return [json.loads(line) for line in lines if line]

    def told(self, event: str, workspace: str = "ws") -> list[dict[str, Any]]:
        """The events of that kind."""
        return [one for one in self.events(workspace) if one["event"] == event]

    @contextmanager
    def running(self, *args: str) -> Iterator["subprocess.Popen[bytes]"]:
        """`gemba workflow …` in the background; it is gone after."""
        command = [str(SCRIPTS / "gemba"), "workflow", *args]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=self.root, env=environment(), stdout=pipe, stderr=pipe
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def escalation(self) -> dict[str, Any]:
        """The one that is open, once there is one."""

        def listed() -> list[dict[str, Any]]:
            done = run_cli("gemba", "escalations", "list", "--json")
            return list(json.loads(done.stdout))

        [one] = wait_until(listed, timeout=30, what="an escalation")
        return dict(one)

    def files(self, workspace: str = "ws") -> dict[str, bytes]:
        """What the workspace holds, without the runner's own folder."""
        folder = self.root / workspace
        return {
            os.path.relpath(path, folder): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and ".workflow" not in path.parts
        }


def has_ended(pid: int) -> bool:
    """Whether that process is over, also where nobody has collected it."""
    return parent(pid) is None


def answer(escalation: str, *words: str) -> None:
    """What the operator types about it."""
    done = run_cli("gemba", "escalations", *words[:1], escalation, *words[1:])
    assert done.returncode == 0, done.stderr


def orders(*actions: dict[str, Any]) -> str:
    """A machine that prints these, one at each call, and counts in progress.json."""
    return f"""\
import json, sys
from pathlib import Path
progress = Path(sys.argv[1], "progress.json")
at = json.loads(progress.read_text())["at"] if progress.exists() else 0
progress.write_text(json.dumps({{"at": at + 1}}))
print(json.dumps(({list(actions)!r} + [{{"type": "done"}}])[min(at, {len(actions)})]))
"""


def spawn(output: str, **more: Any) -> dict[str, Any]:
    """An order to run the agent for that output."""
    return {"type": "spawn", "prompt": f"Write {output}.", "output_file": output, **more}
