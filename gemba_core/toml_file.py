"""A TOML file that people write: its `[[tables]]` checked by models, all problems told at once.

Each problem has its line. The sentinels do not come here: `settings` reads the
few keys that they need.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import BaseModel, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from gemba_core.errors import GembaError

M = TypeVar("M", bound=BaseModel)
Location: TypeAlias = tuple[str | int, ...]
Wrong: TypeAlias = tuple[Location, str]

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
# A name may become part of a session's id, and of the name of its log.
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
_NAME = "a name begins with a letter or digit, and has up to 64 of A-Z a-z 0-9 . _ -"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, in which line, and what to do."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


class TomlInvalid(GembaError):
    """The file cannot be used; all its problems, one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class TomlFile:
    """What the file says."""

    path: str
    text: str
    table: Mapping[str, Any]

    def invalid(self, wrong: Iterable[Wrong], array: str) -> TomlInvalid:
        """These problems with their lines; `array` names the tables that they are about."""
        lines = _lines(self.text, array)
        found = [Problem(self.path, _line_of(location, lines), what) for location, what in wrong]
        return TomlInvalid(sorted(found, key=lambda problem: problem.line))


def read(path: str) -> TomlFile:
    """The file. Raises TomlInvalid where it is no TOML, OSError."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode()
        return TomlFile(path, text, tomllib.loads(text))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TomlInvalid([Problem(path, line, "not UTF-8; save it as UTF-8")]) from error
    except tomllib.TOMLDecodeError as error:
        # The parser tells no line number but in its words.
        what = f"not valid TOML: {error}; mend it there"
        raise TomlInvalid([Problem(path, _line_in(str(error), text), what)]) from error


def entries(table: Mapping[str, Any], array: str) -> tuple[list[Any], list[Wrong]]:
    """The `[[array]]` tables as they stand, and what is wrong where they are no array."""
    found = table.get(array, [])
    if isinstance(found, list):
        return found, []
    return [], [((array,), f"one {array} only; write [[{array}]] with double brackets")]


def checked(model: type[M], entry: object, here: Location) -> tuple[M | None, list[Wrong]]:
    """The entry as the model has it, or what is wrong with it."""
    try:
        return model.model_validate(entry), []
    except ValidationError as error:
        return None, [((*here, *one["loc"]), _said(one, model, here)) for one in error.errors()]


def twice(found: list[Any], array: str) -> Iterator[Wrong]:
    """The names that more than one entry has."""
    seen = set()
    for number, entry in enumerate(found):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in seen:
            what = f"a second {array} named {name!r}; rename one of them"
            yield (array, number, "name"), what
        if isinstance(name, str):
            seen.add(name)


def meant(key: str, known: Iterable[str]) -> str:
    """` (did you mean …?)`, where one of the known keys is near."""
    near = difflib.get_close_matches(key, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _said(error: ErrorDetails, model: type[BaseModel], here: Location) -> str:
    """pydantic's finding in the words of the file, with what to do."""
    key = str(error["loc"][0]) if error["loc"] else str(here[0])
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"unknown key: {key}{meant(key, model.model_fields)}"
    if kind == "missing":
        return f"{key} is missing; add {key} = …"
    if kind == "string_pattern_mismatch":
        return f"{key}: {error['input']!r}: {_NAME}"
    if kind == "value_error":
        return f"{key}: {error['ctx']['error']}"
    if kind in ("too_short", "string_too_short"):
        return f"{key} is empty; give a value, or take the line out"
    what = error["msg"].replace("Input should", "it should")
    return f"{key}: {error['input']!r}: {what}"


def _lines(text: str, array: str) -> dict[Location, int]:
    """The line of each table and each key."""
    lines: dict[Location, int] = {}
    table: Location = ()
    number = -1
    for line, is_header, statement in _statements(text):
        for key, value in statement.items():
            if not is_header:
                lines.setdefault((*table, key), line)
            elif key == array and isinstance(value, list):
                number += 1
                table = (array, number)
                lines[table] = line
            else:
                # [agent.key] belongs to the agent before it; of any other table the name will do.
                inner = next(iter(value), key) if isinstance(value, dict) else key
                table = (array, number, inner) if key == array else (key,)
                lines.setdefault(table, line)
    return lines


def _statements(text: str) -> Iterator[tuple[int, bool, dict[str, Any]]]:
    """(line, whether a table begins there, what it says) of each statement.

    A statement is as many lines as it takes to be valid: so the text within a
    string of many lines is never taken for a key.
    """
    first, statement = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        statement += line + "\n"
        try:
            said = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        yield first, statement.lstrip().startswith("["), said
        first, statement = number + 1, ""


def _line_of(location: Location, lines: Mapping[Location, int]) -> int:
    """The line of that place, or of the nearest around it."""
    while location and location not in lines:
        location = location[:-1]
    return lines.get(location, 1)


def _line_in(message: str, text: str) -> int:
    found = re.search(r"at line (\d+)", message)
    return int(found[1]) if found else text.count("\n") + 1
