"""What an escalation asks, line by line: of a permission the command, or the change as a diff."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeAlias

import msgspec

from gemba_core.frame.record import loads
from gemba_core.frame.text import shown
from gemba_core.frame.visible import visible
from gemba_core.index import Escalation

# A line, and its style.
Line: TypeAlias = tuple[str, str]

# Pairs of lines that are compared; beyond them all of the old stands before all of the new, since
# whoever writes a change could make the comparison last for minutes.
_MOST_PAIRS = 250_000


def asked(item: Escalation) -> list[Line]:
    """Its text; of a permission the tool's whole input, exactly, with what would not show named.

    A text of several lines has them, an edit is a diff, and all else is JSON.
    """
    lines = [(visible(line, kept="\t"), style) for line, style in _lines(_tool_input(item))]
    return lines or [(line, "") for line in shown(item.prompt).split("\n")]


def command_lines(item: Escalation) -> int:
    """How many lines the command has for which leave is asked; 0 where it is about none."""
    command = _tool_input(item).get("command")
    return len(shown(command).split("\n")) if isinstance(command, str) else 0


def _tool_input(item: Escalation) -> dict[str, Any]:
    return loads(item.prompt.encode()) if item.source == "permission_prompt" else {}


def _lines(given: Mapping[str, Any]) -> Iterator[Line]:
    change = _change(given)
    for name, value in given.items():
        if change and name == "old_string":
            yield from _diff(*change)
        elif change and name == "new_string":
            continue  # in the diff
        elif name == "edits" and _are_objects(value):
            for edit in value:
                yield from _lines(edit)
        else:
            yield from _named(name, value)


def _change(given: Mapping[str, Any]) -> tuple[list[str], list[str]] | None:
    """The lines before and after it, where it is an edit."""
    texts = given.get("old_string"), given.get("new_string")
    if not all(isinstance(text, str) for text in texts):
        return None
    before, after = (text.split("\n") if text else [] for text in texts)
    return before, after


def _named(name: str, value: object) -> Iterator[Line]:
    """On one line, or below its name."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    first, *others = text.split("\n")
    if not others:
        yield f"{name}: {first}", ""
        return
    yield f"{name}:", ""
    yield from ((f"  {line}", "") for line in (first, *others))


def _diff(before: list[str], after: list[str]) -> Iterator[Line]:
    steps: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(before), 0, len(after))]
    if len(before) * len(after) <= _MOST_PAIRS:
        steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for step, start, end, new_start, new_end in steps:
        if step == "equal":
            yield from ((f"  {line}", "") for line in before[start:end])
        else:
            yield from ((f"- {line}", "red") for line in before[start:end])
            yield from ((f"+ {line}", "green") for line in after[new_start:new_end])


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)
