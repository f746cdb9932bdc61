"""Our entries in a client's JSON settings: put in, and taken out again.

An entry is known by its command, never by a mark of ours: clients drop keys
that they do not know when they rewrite their settings.
"""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gemba_core.install import json_text
from gemba_core.install.json_text import Part, checked

BRIDGE = "gemba-bridge"

Entry: TypeAlias = dict[str, Any]


def put_hooks(text: str, entries: Mapping[str, Entry]) -> str:
    """The settings with exactly one entry of ours for each of these events. Raises Unfit."""
    hooks = _hooks(text)
    if hooks is None:
        text = json_text.add(text, json_text.root(text), {}, "hooks")
    for event in _events(text):
        if event not in entries:
            text = _without(text, event, keep=0, original=None)
    for event, entry in entries.items():
        checked(text, json_text.reach(text, ("hooks", event)), "[", f"hooks.{event}")
        text = _with(text, event, entry)
    return text


def take_hooks(text: str, original: str | None) -> str:
    """The settings without our entries, and without what they alone filled. Raises Unfit.

    Empty lists and objects that `original` had stay.
    """
    before = text
    for event in _events(text):
        text = _without(text, event, keep=0, original=original)
    return text if text == before else _pruned(text, ("hooks",), original)


def has_hooks(text: str) -> bool:
    """Whether an entry of ours is in these settings. Raises Unfit."""
    return any(True for event in _events(text) for _ in _ours(text, event))


def put_item(text: str, path: Sequence[str], item: str) -> str:
    """The settings with that string in the list at `path`, which is made if need be."""
    _check_root(text)
    for depth in range(1, len(path) + 1):
        kind = "[" if depth == len(path) else "{"
        name = ".".join(path[:depth])
        if checked(text, json_text.reach(text, path[:depth]), kind, name) is None:
            parent = json_text.reach(text, path[: depth - 1])
            assert parent is not None
            text = json_text.add(text, parent, [] if kind == "[" else {}, path[depth - 1])
    at = json_text.reach(text, path)
    assert at is not None
    listed = [json_text.value(text, part) for part in json_text.parts(text, at)]
    return text if item in listed else json_text.add(text, at, item)


def take_item(text: str, path: Sequence[str], item: str, original: str | None) -> str:
    """The settings without that string there, and without what it alone filled.

    One that `original` had stays.
    """
    _check_root(text)
    at = json_text.reach(text, path)
    if at is None or text[at] != "[" or _had_item(original, path, item):
        return text
    found = [part for part in json_text.parts(text, at) if json_text.value(text, part) == item]
    if not found:
        return text
    text = json_text.remove(text, at, found[-1])
    for depth in range(len(path), 0, -1):
        text = _pruned(text, path[:depth], original)
    return text


def _with(text: str, event: str, entry: Entry) -> str:
    """One entry of ours for the event: the first one mended where it stands, or a new last one."""
    ours = list(_ours(text, event))
    if ours:
        group, part = ours[0]
        if json_text.value(text, part) != entry:
            text = json_text.replace(text, group, part, entry)
        return _without(text, event, keep=1, original=text)
    hooks = _hooks(text)
    assert hooks is not None
    at = json_text.reach(text, ("hooks", event))
    # Last, and never moved: Codex trusts a hook by its place among those of its event.
    group_of_ours = {"hooks": [entry]}
    if at is None:
        return json_text.add(text, hooks, [group_of_ours], event)
    return json_text.add(text, at, group_of_ours)


def _without(text: str, event: str, *, keep: int, original: str | None) -> str:
    """The text without our entries for the event but the first `keep`, and their empty shells."""
    while len(ours := list(_ours(text, event))) > keep:
        listed, part = ours[-1]
        text = json_text.remove(text, listed, part)
        at = json_text.reach(text, ("hooks", event))
        assert at is not None
        group = next(one for one in json_text.parts(text, at) if one.value < listed < one.end)
        if json_text.value(text, group) == {"hooks": []}:
            text = json_text.remove(text, at, group)
        text = _pruned(text, ("hooks", event), original)
    return text


def _ours(text: str, event: str) -> Iterator[tuple[int, Part]]:
    """(the list that it stands in, the entry) for each entry of ours."""
    at = json_text.reach(text, ("hooks", event))
    for group in json_text.parts(text, at) if at is not None else []:
        held = json_text.value(text, group)
        if not isinstance(held, dict) or held.get("matcher") not in (None, "", "*"):
            continue
        listed = json_text.member(text, group.value, "hooks")
        if listed is None or text[listed.value] != "[":
            continue
        for part in json_text.parts(text, listed.value):
            if _is_ours(json_text.value(text, part), event):
                yield listed.value, part


def _is_ours(entry: object, event: str) -> bool:
    """Whether it calls the bridge, any installed one, for this event and does nothing else."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return False
    args = entry.get("args")
    try:
        words = [entry["command"], *args] if args else shlex.split(entry["command"])
    except (TypeError, ValueError):
        return False
    return bool(words) and os.path.basename(words[0]) == BRIDGE and words[1:] in ([], [event])


def _events(text: str) -> list[str]:
    """The events that have a list of hooks."""
    hooks = _hooks(text)
    if hooks is None:
        return []
    return list(
        dict.fromkeys(
            part.key
            for part in json_text.parts(text, hooks)
            if part.key is not None and text[part.value] == "["
        )
    )


def _hooks(text: str) -> int | None:
    _check_root(text)
    return checked(text, json_text.reach(text, ("hooks",)), "{", "hooks")


def _check_root(text: str) -> None:
    json_text.parse(text)
    checked(text, json_text.root(text), "{", "the settings")


def _pruned(text: str, path: Sequence[str], original: str | None) -> str:
    """The text without the empty container there, unless the original had one."""
    at = json_text.reach(text, path)
    if at is None or json_text.parts(text, at) or _had(original, path):
        return text
    parent = json_text.reach(text, path[:-1])
    assert parent is not None
    part = json_text.member(text, parent, path[-1])
    assert part is not None
    return json_text.remove(text, parent, part)


def _had(original: str | None, path: Sequence[str]) -> bool:
    return original is not None and json_text.reach(original, path) is not None


def _had_item(original: str | None, path: Sequence[str], item: str) -> bool:
    at = json_text.reach(original, path) if original is not None else None
    if original is None or at is None or original[at] != "[":
        return False
    return any(json_text.value(original, part) == item for part in json_text.parts(original, at))
