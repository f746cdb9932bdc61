"""A string in a list of a TOML file, `[table] key = [...]`; comments and layout stay."""

import re
import tomllib
from typing import Any

import tomlkit
from tomlkit.items import Array

from gemba_core.install.unfit import Unfit


def put_item(text: str, table: str, key: str, item: str) -> str:
    """The text with that string in the list. Raises Unfit."""
    now = _parsed(text)
    if item in _listed(now, table, key, text):
        return text
    if table not in now:
        newline = "\r\n" if "\r\n" in text else "\n"
        if text and not text.endswith("\n"):
            text += newline
        between = newline if text else ""
        value = tomlkit.item([item]).as_string()
        return f"{text}{between}[{table}]{newline}{key} = {value}{newline}"
    document = tomlkit.parse(text)
    section: Any = document[table]
    if key not in section:
        section[key] = [item]
    else:
        section[key].append(item)
    wanted = {**now[table], key: [*now[table].get(key, []), item]}
    return _verified(tomlkit.dumps(document), {**now, table: wanted})


def take_item(text: str, table: str, key: str, item: str, original: str | None) -> str:
    """The text without that string there, and without what it alone filled. Raises Unfit.

    One that `original` had stays.
    """
    now = _parsed(text)
    had = _parsed(original or "")
    if item not in _listed(now, table, key, text) or item in _listed(had, table, key, ""):
        return text
    document = tomlkit.parse(text)
    section: Any = document[table]
    listed: Array = section[key]
    del listed[list(listed).index(item)]
    wanted = dict(now)
    rest = [one for one in now[table][key] if one != item]
    wanted[table] = {**now[table], key: rest}
    if not rest and key not in had.get(table, {}):
        del section[key]
        del wanted[table][key]
    if not wanted[table] and table not in had:
        del document[table]
        del wanted[table]
    return _verified(tomlkit.dumps(document), wanted)


def has_key(text: str, table: str, key: str) -> bool:
    """Whether the file says anything there. Raises Unfit."""
    section = _parsed(text).get(table)
    return isinstance(section, dict) and key in section


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise Unfit(line, f"not valid TOML ({error})") from error


def _listed(document: dict[str, Any], table: str, key: str, text: str) -> list[Any]:
    section = document.get(table, {})
    listed = section.get(key, []) if isinstance(section, dict) else None
    if not isinstance(listed, list):
        raise Unfit(_line_of(text, key, table), f"{table}.{key} should be a list in a table")
    return listed


def _line_of(text: str, *words: str) -> int:
    for word in words:
        for number, line in enumerate(text.split("\n"), 1):
            if word in line:
                return number
    return 1


def _verified(text: str, wanted: dict[str, Any]) -> str:
    """The edited text, proved by the strict reader to say what it should and nothing else."""
    try:
        done = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        done = False
    if not done:
        raise Unfit(1, "its layout cannot be kept; make this change by hand")
    return text
