"""GS902. Found by the engine, which knows what an ignore has hidden."""

from gemba_core.skills.lint.rule import Rule

RULE = Rule(
    id="GS902",
    name="unused-ignore",
    severity="warning",
    scope="file",
    does="Finds ignores that hide no finding, or name a rule that does not exist.",
    why="It would hide the next finding in its place, which nobody has looked at.",
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`. <!-- gemba: ignore[GS105] the vault comes first -->
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    check=lambda skill: (),
)
