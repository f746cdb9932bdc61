"""GS004."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS004",
    name="yaml-tag",
    severity="error",
    scope="file",
    does="Finds YAML tags, such as `!!python/object`, in front matter.",
    why="A tag asks the reader to build something. Gemba never does; an unsafe reader would.",
    example="""\
---
skill_id: tidy
variety: coach
description: !!binary VGlkaWVz
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
    check=lambda skill: skill.problems("tag"),
)
