"""GS005."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS005",
    name="not-text",
    severity="error",
    scope="file",
    does="Finds bytes that are not UTF-8, and NUL bytes.",
    why="Agents get text that is not what was written, or none at all.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
In a file that was saved as Latin-1: caf�
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    check=lambda skill: skill.problems("encoding"),
)
