"""A new skill to fill out, such that the contract is kept from the start.

Source: spec 000, "What the skill instructs the agent to do".
"""

import os
import re

from gemba_core.errors import GembaError, UsageError

_NAME = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")
_MAX_NAME = 64

_FRONT = """\
---
skill_id: {name}
variety: {variety}
description: >
  What it does, and when to use it: one or two sentences.
---
# {name}

What the agent is here, and what it has to reach.

## Steps

1. Look first: which files or commands tell how things stand?
2. Do it in small steps, and check each.
3. Say at the end what was done, what was not, and what you assumed.

## Asking a person

"""
_COACH = """\
Whenever you would like a person's judgment on a decision, call:

```
gemba-ask --kind question --role coach --text "<the question, and what you would do>"
```

It prints what to do next: follow that.
"""
_MANAGER = """\
Whenever you would like a person's judgment on a decision, call:

```
gemba-ask --kind question --role manager --text "<the question, and what you would do>"
```

When you cannot go on without a person, or a guardrail would be violated, call:

```
gemba-ask --kind blocker --role manager --text "<what you need, and why>"
gemba-state prompting
```

Then wait for the answer.
"""
_ASKING = {"coach": _COACH, "manager": _MANAGER}


def write_new(folder: str, name: str, variety: str) -> str:
    """Write a new skill into that folder, which is made if need be; its path.

    Raises UsageError for a name that no mention could hold, GembaError if
    there is such a file already, OSError.
    """
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no name for a skill: give it up to {_MAX_NAME} of a-z 0-9, "
            "with single - . _ between them"
        )
    path = os.path.join(folder, f"{name}.md")
    os.makedirs(folder, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(_FRONT.format(name=name, variety=variety) + _ASKING[variety])
    except FileExistsError as error:
        raise GembaError(f"{path}: there already; edit it, or choose another name") from error
    return path
