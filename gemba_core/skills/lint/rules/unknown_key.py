"""GS212. Source: the Agent Skills standard, "Specification"."""

import difflib
from collections.abc import Iterator

from gemba_core.skills.lint.finding import Fault
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject
from gemba_core.surface.programs import names

# The standard's, Gemba's, and those that clients have added.
KNOWN = names(
    """
    name description license compatibility metadata allowed-tools
    skill_id variety lifecycle replaced_by aliases tools narrow-tools
    when_to_use argument-hint arguments disable-model-invocation user-invocable
    disallowed-tools model effort context agent hooks paths shell version
    """
)


def _check(skill: Subject) -> Iterator[Fault]:
    for key, field in skill.document.fields.items():
        if key in KNOWN:
            continue
        near = difflib.get_close_matches(
            key.lower().replace("_", "-"), sorted(KNOWN), n=1, cutoff=0.85
        )
        if near and near[0] not in skill.document.fields:
            yield skill.at_key(field, f"unknown key {key}; did you mean {near[0]}?")


RULE = Rule(
    id="GS212",
    name="unknown-key",
    severity="warning",
    scope="file",
    does="Finds keys that nearly are a known one: `allowed_tools`, `descripton`.",
    why="Clients pass over what they do not know, without a word.",
    example="""\
---
skill_id: tidy
variety: coach
descripton: Tidies the workspace.
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
    note="Any other key is taken for some client's own, and not told.",
    check=_check,
)
