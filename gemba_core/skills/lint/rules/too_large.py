"""GS009."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS009",
    name="too-large",
    severity="error",
    scope="file",
    does="Finds files of more than 1 MiB, and front matter of more than 64 KiB.",
    why="Gemba does not read them, and no agent could keep them in mind.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`. Here are the tables: (and so on, for more than 1 MiB)
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`. The tables are in `tables.md`, beside this file.
""",
    check=lambda skill: skill.problems("too-large"),
)
