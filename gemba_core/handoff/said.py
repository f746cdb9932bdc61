"""What a field of a contract says, in words: agents write text, lists, objects."""

from collections.abc import Iterable, Mapping

import msgspec

from gemba_core.frame.text import one_line, shown
from gemba_core.frame.visible import visible

# Of a list's entries; agents paste whole logs into one.
_LONGEST = 400


def said(value: object) -> str:
    """The value as text, shown inert; empty where it says nothing.

    Exact: nothing is cut. A list has a line for each of its entries.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list | tuple):
        return "\n".join(filter(None, map(said, value)))
    if isinstance(value, Mapping) and value.get("command"):
        result = said(value.get("result"))
        return said(value["command"]) + (f" → {result}" if result else "")
    if isinstance(value, Mapping) and not value:
        return ""
    return shown(msgspec.json.encode(value).decode())


def bulleted(values: Iterable[object]) -> str:
    """A line for each that says something, its own lines indented; a long one is cut."""
    lines = []
    for text in filter(None, map(said, values)):
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        lines.append("- " + text.replace("\n", "\n  "))
    return "\n".join(lines)


def exactly(value: object) -> str:
    """All of it, with what cannot be seen made visible: who consents must know to what."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return "\n".join(map(exactly, value))
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return visible(text, kept="\n\t")


def marked(value: object) -> str:
    """All of it `exactly`, each line behind a bar: none of it passes for a heading of ours."""
    text = exactly(value)
    lines = text.removesuffix("\n").split("\n") if text.strip() else []
    return "\n".join(f"  | {line}" for line in lines)


def quoted(value: object) -> str:
    """In quotes, on one line, and not longer than that."""
    return repr(one_line(said(value)))
