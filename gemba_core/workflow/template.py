"""A new script-driven skill that works as it stands, to be filled out.

Its machine tells a phase as done only once the phase's output is there and
good, and knows no phase that it does not list: it neither orders one for ever
nor goes round in circles.
"""

import os
import re
from pathlib import Path

from gemba_core.errors import GembaError, UsageError

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_NAME = 64

_SKILL = """\
---
name: {name}
skill_id: {name}
variety: coach
description: >
  What it does, and when to use it: one or two sentences.
---
# {name}

What this skill produces, and what has to be there before it begins.

Run it with `gemba workflow run {name} WORKSPACE`. The state machine `next-step.py` says what to do
next; whoever runs it does that, and nothing else. The files in `phases/` are for the agents of the
phases alone.

| phase | reads | writes |
|---|---|---|
| gather | the task, in the workspace's `task.md` | `notes.md` |
| report | `notes.md` | `REPORT.md` |

## Asking a person

Whenever you would like a person's judgment on a decision, call:

```
gemba-ask --kind question --role coach --text "<the question, and what you would do>"
```

It prints what to do next: follow that.
"""
_MACHINE = '''\
#!/usr/bin/env python3
"""The state machine of this skill: prints one JSON action for the workspace that it is given."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TASK = "task.md"
# In their order: the phase, its prompt, what it reads beside its instructions, what it writes.
PHASES = [
    ("gather", "Gather what the task needs.", [TASK], "notes.md"),
    ("report", "Write the report.", [TASK, "notes.md"], "REPORT.md"),
]


def main() -> None:
    workspace = Path(sys.argv[1])
    if not (workspace / TASK).exists():
        say("ask", text="What is to be done?", output_file=TASK)
        return
    for phase, prompt, reads, output in PHASES:
        written = workspace / output
        if not written.exists():
            say(
                "spawn",
                prompt=prompt,
                context_files=[
                    str(HERE / "phases" / f"{phase.upper()}.md"),
                    *(str(workspace.absolute() / name) for name in reads),
                ],
                context_data={"workspace": str(workspace), "output": output},
                output_file=output,
            )
            return
        # The gate: what is there has to be good.
        if not written.read_text(encoding="utf-8").strip():
            say("gate_failed", reason=f"{output} is empty; remove it to have it written again")
            return
    say("done")


def say(kind: str, **fields: object) -> None:
    print(json.dumps({"type": kind, **fields}))


if __name__ == "__main__":
    main()
'''
_GATHER = """\
# Gather

You execute the first phase. You get this file, the task, and what stands in the context data.

## What to do

1. Read the task.
2. Find out what it needs: files, commands, facts. Do not solve it yet.
3. Write to `{{workspace}}/{{output}}` what you have found, each with where you found it.

## What counts as done

Somebody who reads your notes alone could do the task.
"""
_REPORT = """\
# Report

You execute the last phase. You get this file, the task, and the notes of the phase before.

## What to do

1. Read the notes. Look up nothing new; what is missing you call missing.
2. Write to `{{workspace}}/{{output}}` what the task asks for.

## What counts as done

Each statement of the report has its reason in the notes.
"""


def write_new(folder: str, name: str) -> str:
    """Write a new skill into that folder of skills, which is made if need be; its own folder.

    Raises UsageError for a name that the standard for skills does not allow,
    GembaError if there is one already, OSError.
    """
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no name for a skill: give it up to {_MAX_NAME} of a-z 0-9, "
            "with single - between them"
        )
    own = Path(folder, name)
    os.makedirs(folder, exist_ok=True)
    try:
        own.mkdir()
    except FileExistsError as error:
        raise GembaError(f"{own}: there already; edit it, or choose another name") from error
    phases = own / "phases"
    phases.mkdir()
    (own / "SKILL.md").write_text(_SKILL.format(name=name), encoding="utf-8")
    machine = own / "next-step.py"
    machine.write_text(_MACHINE, encoding="utf-8")
    machine.chmod(0o755)
    (phases / "GATHER.md").write_text(_GATHER, encoding="utf-8")
    (phases / "REPORT.md").write_text(_REPORT, encoding="utf-8")
    return str(own)
