"""GS213. Source: the Agent Skills standard: `allowed-tools` are pre-approved."""

from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject


def _check(skill: Subject) -> Iterator[Fault]:
    field = skill.document.fields.get("allowed-tools")
    if field is not None and skill.value("tools") is None and skill.value("narrow-tools") is None:
        what = (
            "allowed-tools pre-approves these tools and keeps no other from being used; to limit "
            "the session to them add `narrow-tools: true`, or `narrow-tools: false` if you know"
        )
        yield skill.at_key(field, what)


RULE = Rule(
    id="GS213",
    name="pre-approved-tools",
    severity="note",
    scope="contract",
    does="Tells of `allowed-tools` in a Gemba skill that does not say whether it is a limit.",
    why=(
        "In the standard `allowed-tools` lists what may be used without asking. Who takes it for a "
        "limit leaves every other tool open."
    ),
    example="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
allowed-tools: Read Grep
---
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: tidy
variety: coach
description: Tidies the workspace.
allowed-tools: Read Grep
narrow-tools: true
---
Ask with `gemba-ask`.
""",
    note="`tools:` is Gemba's own key for the same limit, without pre-approving anything.",
    check=_check,
)
