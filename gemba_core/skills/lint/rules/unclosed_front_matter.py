"""GS002."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS002",
    name="unclosed-front-matter",
    severity="error",
    scope="file",
    does="Finds front matter that is opened by `---` and never closed by a line of its own.",
    why="The whole file is body then, and the skill has no name, variety or description.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.

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
    check=lambda skill: skill.problems("unclosed"),
)
