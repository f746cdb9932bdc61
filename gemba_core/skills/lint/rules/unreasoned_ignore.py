"""GS901. Found by the engine, which reads the ignores."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS901",
    name="unreasoned-ignore",
    severity="warning",
    scope="file",
    does="Finds ignores without a reason.",
    why="Who comes next cannot tell whether it still holds.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`. Never `gemba-ask --kind blocker`. <!-- gemba: ignore[GS106] -->
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.

<!-- gemba: ignore[GS106] people asked why; the answer has to name it -->
Never `gemba-ask --kind blocker`: it is refused.
""",
    check=lambda skill: (),
)
