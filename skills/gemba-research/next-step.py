#!/usr/bin/env python3
"""The state machine of gemba-research: prints one JSON action for the workspace that it is given.

What is there decides what is next: an output lies in the workspace only once its phase succeeded.
"""

import json
import re
import sys
from pathlib import Path

PHASES = Path(__file__).resolve().parent / "phases"
QUESTION, SCOUT, FINAL, VERIFY = "question.txt", "00-scout.md", "FINAL.md", "VERIFY.md"
MOST = 20
SUB_QUESTION = re.compile(r"^### \d+\.[ \t]+(\S.*)$", re.MULTILINE)
VERDICT = re.compile(r"^Verdict: (holds|fails)$", re.MULTILINE)


def main() -> None:
    workspace = Path(sys.argv[1])
    if not (workspace / QUESTION).exists():
        say(
            {
                "type": "ask",
                "title": "Research",
                "text": "What is to be found out?",
                "output_file": QUESTION,
            }
        )
        return
    if not (workspace / SCOUT).exists():
        say(spawn(workspace, "SCOUT.md", "Scout this question.", [QUESTION], SCOUT))
        return
    questions = SUB_QUESTION.findall(read(workspace / SCOUT))
    if not 1 <= len(questions) <= MOST:
        fail(f"{SCOUT} has {len(questions)} sub-questions, and should have 1 to {MOST}")
        return
    answers = {named(number, one): one for number, one in enumerate(questions, 1)}
    missing = [name for name in answers if not (workspace / name).exists()]
    if missing:
        orders = [
            spawn(
                workspace,
                "RESEARCH.md",
                f"Answer this sub-question: {answers[name]}",
                [QUESTION, SCOUT],
                name,
                sub_question=answers[name],
            )
            for name in missing
        ]
        say({"type": "spawn_many", "spawns": orders})
        return
    if empty := [name for name in answers if not read(workspace / name)]:
        fail(f"{empty[0]} is empty; remove it to have it answered again")
        return
    if not (workspace / FINAL).exists():
        reads = [QUESTION, SCOUT, *answers]
        say(spawn(workspace, "ASSEMBLE.md", "Assemble the answer.", reads, FINAL))
        return
    verify(workspace)


def verify(workspace: Path) -> None:
    """Have the answer looked up by somebody else, whose last verdict counts: a report may quote."""
    if not read(workspace / FINAL):
        fail(f"{FINAL} is empty; remove it to have it assembled again")
        return
    if not (workspace / VERIFY).exists():
        say(spawn(workspace, "VERIFY.md", "Verify the answer.", [QUESTION, FINAL], VERIFY))
        return
    verdicts = VERDICT.findall(read(workspace / VERIFY))
    if not verdicts:
        fail(f"{VERIFY} has no line `Verdict: holds` or `Verdict: fails`; remove it to redo it")
    elif verdicts[-1] == "fails":
        fail(
            f"{VERIFY} names claims that do not hold; mend {FINAL}, or remove it, "
            f"and remove {VERIFY} to have it verified again"
        )
    else:
        say({"type": "done"})


def read(path: Path) -> str:
    """What was written there, without the space around it; whatever bytes an agent may leave."""
    return path.read_text(encoding="utf-8", errors="replace").strip()


def spawn(
    workspace: Path, instructions: str, prompt: str, reads: list[str], output: str, **data: str
) -> dict[str, object]:
    """An agent for one phase: its instructions, what it reads in the workspace, what it writes."""
    return {
        "type": "spawn",
        "prompt": prompt,
        "context_files": [
            str(PHASES / instructions),
            *(str(workspace.absolute() / name) for name in reads),
        ],
        "context_data": {"workspace": str(workspace), "output": output, **data},
        "output_file": output,
        "attempts": 2,
    }


def named(number: int, question: str) -> str:
    """The file of that sub-question's answer."""
    slug = re.sub(r"[^a-z0-9]+", "-", question.lower())[:40].strip("-")
    return f"{number:02}-{slug or 'answer'}.md"


def fail(reason: str) -> None:
    say({"type": "gate_failed", "reason": reason})


def say(action: dict[str, object]) -> None:
    print(json.dumps(action))


if __name__ == "__main__":
    main()
