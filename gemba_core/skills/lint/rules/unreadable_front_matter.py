"""GS001."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS001",
    name="unreadable-front-matter",
    severity="error",
    scope="file",
    does="Finds front matter that is not plain YAML with `key: value` lines.",
    why="Nobody can tell the skill's name, variety or description: it is listed as broken.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies: the workspace
---
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: "Tidies: the workspace"
---
Ask with `gemba-ask`.
""",
    check=lambda skill: skill.problems("yaml", "not-a-mapping", "too-deep", "alias"),
)
