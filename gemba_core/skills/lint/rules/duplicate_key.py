"""GS003."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS003",
    name="duplicate-key",
    severity="error",
    scope="file",
    does="Finds a key that stands twice in one mapping of the front matter.",
    why="One reader takes the first, another the last: the skill is not the same to both.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
variety: manager
---
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
    check=lambda skill: skill.problems("duplicate-key"),
)
