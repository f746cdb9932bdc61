"""Linting a thousand skills, against `yaml.safe_load` of their front matter alone.

Compared by the least processor time of each: what runs beside only adds to it.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import yaml

from bench.environment import Workshop
from bench.figure import Figure
from bench.paired import spent
from gemba_core.skills.document import read_bytes
from gemba_core.skills.lint import Finding, lint, targets

_SKILLS = 1_000
_ROUNDS = 7

_COACH = """\
---
skill_id: "team.coach_{n}"
variety: coach  # coach | manager
description: >
  Looks over change number {n} before it is merged, and says what
  a second pair of eyes would say.
---

# Coach {n}

You read changes before they are merged.

## What to look for

- What the change promises, and whether its tests would fail without it.
- Names that say something else than the code does.
- Errors that are caught and forgotten. See [the list](lists/errors.md).

## When you are not sure

Ask, and go on with your best guess:

```sh
gemba-ask --kind question --role coach \\
  --bead <bead_id> \\
  --text "<what you would like to know, in one line>"
```

Repeat what you asked under `## Questions`, for who watches the pane. If `gemba-ask` exits
with 2, record your assumption and go on. A coach does not stop the work.
"""
_MANAGER = """\
---
name: manager-{n}
skill_id: team.manager_{n}
variety: manager
description: Takes stage {n} of the release, and says what keeps it from going out.
license: MIT
metadata:
  author: team
---

# Stage {n}

1. Read the list of what is to go out.
2. Run `make test` and `make smoke`.
3. Compare the two reports, and note what differs.

When a test fails that did not fail before, or a change would break a guardrail, call

    gemba-ask --kind blocker --role manager --text "<what fails, and since when>"

Then call `gemba-state prompting` and wait for the operator.

When both ways are open to you, call `gemba-ask --kind question --role manager --text "…"`
and keep working with your best guess.

| report | where |
|---|---|
| tests | build/tests.xml |
| smoke | build/smoke.txt |
"""


def measure(shop: Workshop) -> Iterator[Figure]:
    """Files found, read and put to every rule: coaches and managers of some thirty lines."""
    skills = [(_MANAGER if number % 2 else _COACH).format(n=number) for number in range(_SKILLS)]
    fronts = [skill.partition("\n---\n")[0].removeprefix("---\n") for skill in skills]
    with shop.home() as home:
        folder = home / "skills"
        folder.mkdir()
        for number, skill in enumerate(skills):
            (folder / f"{number}.md").write_text(skill)
        if found := _lint(folder):
            raise AssertionError(f"these skills are good, yet {found[0]}")
        rounds = [
            (spent(partial(_lint, folder)), spent(partial(_load, fronts))) for _ in range(_ROUNDS)
        ]
    yield Figure(
        name="lint of 1,000 skills / yaml.safe_load of their front matter",
        value=min(linted.processor for linted, _ in rounds)
        / min(loaded.processor for _, loaded in rounds),
        at_most=4,
        note=f"{_SKILLS / min(linted.clock for linted, _ in rounds):,.0f} skills/s",
    )


def _lint(folder: Path) -> list[Finding]:
    return [finding for path in targets([str(folder)]) for finding in lint(path, read_bytes(path))]


def _load(fronts: list[str]) -> None:
    for front in fronts:
        yaml.safe_load(front)
