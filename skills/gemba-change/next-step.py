#!/usr/bin/env python3
"""The state machine of gemba-change: prints one JSON action for the workspace that it is given.

What is there decides what is next: an output lies in the workspace only once its phase succeeded.
"""

import json
import re
import sys
from pathlib import Path

PHASES = Path(__file__).resolve().parent / "phases"
TASK, PLAN, APPROVAL = "task.md", "PLAN.md", "approval.txt"
GO, NO = "go", "no"
# An operator may also approve with a word of Gemba's own.
YES = (GO, "yes")
ROUNDS = 3
VERDICT = re.compile(r"^Verdict: (pass|fail)$", re.MULTILINE)


def main() -> None:
    workspace = Path(sys.argv[1])
    if not (workspace / TASK).exists():
        ask("Change", "What is to be changed, and how does one see that it works?", TASK)
        return
    if not (workspace / PLAN).exists():
        spawn(workspace, "PLAN.md", "Plan this change.", [TASK], PLAN)
        return
    if not (workspace / APPROVAL).exists():
        plan = read(workspace / PLAN)
        if not plan:
            fail(f"{PLAN} is empty; remove it to have it written again")
            return
        # No default: nobody's silence, and no mode in which nobody is asked, approves of a plan.
        ask("The plan", f"May this plan be carried out?\n\n{plan}", APPROVAL, options=[GO, NO])
        return
    if read(workspace / APPROVAL).lower() not in YES:
        fail(f"the plan is not approved; mend {PLAN}, or remove it, and remove {APPROVAL}")
        return
    carry_out(workspace)


def carry_out(workspace: Path) -> None:
    """Implement and check, by turns; a check that fails is what the next round begins with."""
    findings: list[str] = []
    for number in range(1, ROUNDS + 1):
        report, check = f"implemented-{number}.md", f"check-{number}.md"
        if not (workspace / report).exists():
            reads = [TASK, PLAN, *findings]
            spawn(workspace, "IMPLEMENT.md", "Carry out the plan.", reads, report)
            return
        if not read(workspace / report):
            fail(f"{report} is empty; remove it to have the plan carried out again")
            return
        if not (workspace / check).exists():
            spawn(workspace, "CHECK.md", "Check the change.", [TASK, PLAN, report], check)
            return
        verdicts = VERDICT.findall(read(workspace / check))
        if not verdicts:
            fail(f"{check} has no line `Verdict: pass` or `Verdict: fail`; remove it to redo it")
            return
        # The last one: a report may quote others.
        if verdicts[-1] == "pass":
            say({"type": "done"})
            return
        findings = [report, check]
    fail(f"{findings[-1]} still fails after {ROUNDS} rounds; mend it, and remove that file")


def read(path: Path) -> str:
    """What was written there, without the space around it; whatever bytes an agent may leave."""
    return path.read_text(encoding="utf-8", errors="replace").strip()


def spawn(workspace: Path, instructions: str, prompt: str, reads: list[str], output: str) -> None:
    """An agent for one phase: its instructions, what it reads in the workspace, what it writes."""
    say(
        {
            "type": "spawn",
            "prompt": prompt,
            "context_files": [
                str(PHASES / instructions),
                *(str(workspace.absolute() / name) for name in reads),
            ],
            "context_data": {"workspace": str(workspace), "output": output},
            "output_file": output,
        }
    )


def ask(title: str, text: str, output: str, **more: object) -> None:
    say({"type": "ask", "title": title, "text": text, "output_file": output, **more})


def fail(reason: str) -> None:
    say({"type": "gate_failed", "reason": reason})


def say(action: dict[str, object]) -> None:
    print(json.dumps(action))


if __name__ == "__main__":
    main()
