"""The workspace's `.gemba/agents.toml`: which agents there are, and how each is started.

All problems are told at once, each with its line. The sentinels do not come
here: `settings` reads the one key that they need.
"""

import difflib
import os
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic_core import ErrorDetails

from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.vocabulary import MODES
from gemba_core.processes import SHELLS

# The clients whose ways are known; any other program is a kind of its own.
CLIENTS = ("claude", "codex", "gemini")
SHELL = "shell-only"

# Seconds. Less than any client gives a permission hook that install-bridge has declared.
MAX_PERMISSION_TIMEOUT = 570.0

Location: TypeAlias = tuple[str | int, ...]


def _words(value: object) -> object:
    """A command in one string, as a shell would split it."""
    return shlex.split(value) if isinstance(value, str) else value


def _mode(value: str) -> str:
    if value not in MODES:
        raise ValueError(f"{value!r} is no mode; one of {', '.join(MODES)}")
    return value


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Word = Annotated[str, StringConstraints(min_length=1)]
# It becomes part of the session's id, and of the name of its log.
_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class Agent(BaseModel):
    """One `[[agent]]`. `permission_timeout` is in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: _Name
    binary: _Word | None = None
    command: Annotated[
        tuple[_Word, ...] | None, Field(min_length=1, strict=False), BeforeValidator(_words)
    ] = None
    args: Annotated[tuple[str, ...], Field(strict=False)] = ()
    model: _Text | None = None
    preamble: _Text | None = None
    hooks: bool = True
    interaction_mode: Annotated[str, AfterValidator(_mode)] | None = None
    permissions: Literal["native", "inbox"] = "native"
    questions: Literal["native", "inbox"] = "native"
    permission_timeout: Annotated[float, Field(gt=0, le=MAX_PERMISSION_TIMEOUT)] | None = None

    @property
    def program(self) -> tuple[str, ...]:
        """The program and the words that belong to it, without args."""
        return self.command or (self.binary or "",)

    @property
    def client(self) -> str:
        """The agent type: a client that is known, `shell-only`, else the agent's own name."""
        names = [os.path.basename(word) for word in self.program]
        known = next((name for name in names if name in CLIENTS), None)
        return known or (SHELL if names[0] in SHELLS else self.name)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, in which line, and what to do."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


class AgentsInvalid(GembaError):
    """agents.toml cannot be used; all its problems, one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def load(path: str) -> tuple[Agent, ...]:
    """The agents of that file, in its order. Raises AgentsInvalid, OSError."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode()
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AgentsInvalid([Problem(path, line, "not UTF-8; save it as UTF-8")]) from error
    except tomllib.TOMLDecodeError as error:
        # The parser tells no line number but in its words.
        what = f"not valid TOML: {error}; mend it there"
        raise AgentsInvalid([Problem(path, _line_in(str(error), text), what)]) from error
    agents, wrong = _checked(table)
    if wrong:
        lines = _lines(text)
        found = [Problem(path, _line_of(location, lines), what) for location, what in wrong]
        raise AgentsInvalid(sorted(found, key=lambda problem: problem.line))
    return agents


def choose(agents: tuple[Agent, ...], name: str | None, path: str) -> Agent:
    """The agent of that name; without a name the only one. Raises UsageError."""
    names = ", ".join(agent.name for agent in agents)
    if not agents:
        raise UsageError(f"{path}: no agent is declared; take the # from one of the examples")
    if name is None and len(agents) > 1:
        raise UsageError(f"which agent? give --agent with one of {names}")
    for agent in agents:
        if name in (None, agent.name):
            return agent
    raise UsageError(f"{path}: no agent is named {name!r}; there is {names}")


_Wrong: TypeAlias = tuple[Location, str]


def _checked(table: Mapping[str, Any]) -> tuple[tuple[Agent, ...], list[_Wrong]]:
    wrong: list[_Wrong] = [
        ((key,), f"unknown: {key}{_meant(key, ['agent'])}; each agent is an [[agent]] table")
        for key in table
        if key != "agent"
    ]
    entries = table.get("agent", [])
    if not isinstance(entries, list):
        return (), [*wrong, (("agent",), "one agent only; write [[agent]] with double brackets")]
    agents: list[Agent] = []
    for number, entry in enumerate(entries):
        here: Location = ("agent", number)
        if isinstance(entry, dict):
            wrong += [((*here, *location), what) for location, what in _across(entry)]
        try:
            agents.append(Agent.model_validate(entry))
        except ValidationError as error:
            wrong += [((*here, *one["loc"]), _said(one)) for one in error.errors()]
    wrong += _twice(entries)
    return tuple(agents), wrong


def _across(entry: Mapping[str, Any]) -> Iterator[_Wrong]:
    """What no key alone is to blame for."""
    if "binary" in entry and "command" in entry:
        yield ("command",), "binary and command; give one of them"
    elif "binary" not in entry and "command" not in entry:
        yield (), "no program; give binary or command"
    elif "model" in entry and not _takes_model(entry):
        yield ("model",), f"a model is known to {', '.join(CLIENTS)} only; put it into args"


def _takes_model(entry: Mapping[str, Any]) -> bool:
    try:
        agent = Agent.model_validate({key: entry.get(key) for key in ("name", "binary", "command")})
    except ValidationError:
        return True  # told for the program itself
    return agent.client in CLIENTS


def _twice(entries: list[Any]) -> Iterator[_Wrong]:
    seen = set()
    for number, entry in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in seen:
            yield ("agent", number, "name"), f"a second agent named {name!r}; rename one of them"
        if isinstance(name, str):
            seen.add(name)


_NAME = "a name begins with a letter or digit, and has up to 64 of A-Z a-z 0-9 . _ -"


def _said(error: ErrorDetails) -> str:
    """pydantic's finding in the words of the file, with what to do."""
    key = str(error["loc"][0]) if error["loc"] else "agent"
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"unknown key: {key}{_meant(key, Agent.model_fields)}"
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


def _meant(key: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _lines(text: str) -> dict[Location, int]:
    """The line of each table and each key."""
    lines: dict[Location, int] = {}
    table: Location = ()
    number = -1
    for line, is_header, statement in _statements(text):
        for key, value in statement.items():
            if not is_header:
                lines.setdefault((*table, key), line)
            elif key == "agent" and isinstance(value, list):
                number += 1
                table = ("agent", number)
                lines[table] = line
            else:
                # [agent.key] belongs to the agent before it; of any other table the name will do.
                inner = next(iter(value), key) if isinstance(value, dict) else key
                table = ("agent", number, inner) if key == "agent" else (key,)
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
