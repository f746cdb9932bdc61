"""GS008."""

import json
from collections.abc import Iterator
from functools import partial

from gemba_core.skills.document import Field
from gemba_core.skills.lint.finding import Fault, Fix
from gemba_core.skills.lint.rule import Rule
from gemba_core.skills.lint.subject import Subject

_STRINGS = (
    "skill_id",
    "name",
    "variety",
    "description",
    "license",
    "compatibility",
    "lifecycle",
    "replaced_by",
)


def _check(skill: Subject) -> Iterator[Fault]:
    for key in _STRINGS:
        field = skill.document.fields.get(key)
        if field is None or field.value is None or isinstance(field.value, str):
            continue
        if isinstance(field.value, list | dict):
            kind = "a list" if isinstance(field.value, list) else "a mapping"
            yield skill.at_value(field, f"{key} is {kind}; write one text")
            continue
        source = _source(skill, field)
        fix = _quoting(field, source) if source else None
        yield skill.at_value(
            field, f"YAML reads {source or field.value} as no text; put {key} in quotes", fix
        )


def _source(skill: Subject, field: Field) -> str:
    """The value as it is written, where it is written on one line."""
    if field.value_at.line != field.value_end.line:
        return ""
    line = skill.document.text.split("\n")[field.value_at.line - 1]
    return line[field.value_at.column - 1 : field.value_end.column - 1]


def _quoting(field: Field, source: str) -> Fix:
    return partial(_quoted, field.value_at.line - 1, field.value_at.column - 1, source)


def _quoted(line: int, column: int, source: str, data: bytes) -> bytes:
    """The file with that value in quotes, if it is still there."""
    lines = data.split(b"\n")
    mark = b"\xef\xbb\xbf" if line == 0 and data.startswith(b"\xef\xbb\xbf") else b""
    text = lines[line].removeprefix(mark).decode("utf-8", "surrogateescape")
    if text[column : column + len(source)] != source:
        return data
    text = text[:column] + json.dumps(source, ensure_ascii=False) + text[column + len(source) :]
    lines[line] = mark + text.encode("utf-8", "surrogateescape")
    return b"\n".join(lines)


RULE = Rule(
    id="GS008",
    name="not-a-string",
    severity="error",
    scope="file",
    does="Finds a value that YAML does not read as text where text is wanted.",
    why="`no`, `on` and `off` are false and true to YAML, and `1.10` is the number 1.1.",
    example="""\
---
skill_id: on
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    use="""\
---
skill_id: "on"
variety: coach
description: Tidies the workspace.
---
Ask with `gemba-ask`.
""",
    check=_check,
    fixable=True,
)
