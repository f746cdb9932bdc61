"""The workspace's `.gemba/agents.toml`: which agents there are, and how each is started.

All problems are told at once, each with its line. The sentinels do not come
here: `settings` reads the one key that they need.
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from gemba_core import toml_file
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.vocabulary import MODES
from gemba_core.home import agents_path
from gemba_core.processes import SHELLS
from gemba_core.toml_file import Location, Name, Text, Wrong, meant

# The clients whose ways are known; any other program is a kind of its own.
CLIENTS = ("claude", "codex", "gemini")
SHELL = "shell-only"

# Seconds. Less than any client gives a permission hook that install-bridge has declared.
MAX_PERMISSION_TIMEOUT = 570.0


def _words(value: object) -> object:
    """A command in one string, as a shell would split it."""
    return shlex.split(value) if isinstance(value, str) else value


def _mode(value: str) -> str:
    if value not in MODES:
        raise ValueError(f"{value!r} is no mode; one of {', '.join(MODES)}")
    return value


def _path(value: str) -> str:
    if not value.startswith(("/", "~/")) or value == "/":
        raise ValueError(f"{value!r}: give an absolute path, or one that begins with ~/")
    return value


_Word = Annotated[str, StringConstraints(min_length=1)]


_Paths = Annotated[tuple[Annotated[str, AfterValidator(_path)], ...], Field(strict=False)]


class Agent(BaseModel):
    """One `[[agent]]`. `permission_timeout` is in seconds.

    `readable` and `writable` are what it sees in a workspace, beside what every agent does.

    `one_shot`: the words that have it answer one prompt and end; `{prompt}` in
    them is the prompt, which is its standard input otherwise.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Name
    binary: _Word | None = None
    command: Annotated[
        tuple[_Word, ...] | None, Field(min_length=1, strict=False), BeforeValidator(_words)
    ] = None
    args: Annotated[tuple[str, ...], Field(strict=False)] = ()
    model: Text | None = None
    preamble: Text | None = None
    one_shot: Annotated[tuple[_Word, ...] | None, Field(strict=False), BeforeValidator(_words)] = (
        None
    )
    hooks: bool = True
    interaction_mode: Annotated[str, AfterValidator(_mode)] | None = None
    permissions: Literal["native", "inbox"] = "native"
    questions: Literal["native", "inbox"] = "native"
    permission_timeout: Annotated[float, Field(gt=0, le=MAX_PERMISSION_TIMEOUT)] | None = None
    readable: _Paths = ()
    writable: _Paths = ()

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


def load(path: str) -> tuple[Agent, ...]:
    """The agents of that file, in its order. Raises TomlInvalid, OSError."""
    file = toml_file.read(path)
    agents, wrong = _checked(file.table)
    if wrong:
        raise file.invalid(wrong, "agent")
    return agents


def choose(agents: tuple[Agent, ...], name: str | None, path: str) -> Agent:
    """The agent of that name; without a name the only one.

    Raises UsageError; GembaError where the file declares none.
    """
    names = ", ".join(agent.name for agent in agents)
    if not agents:
        raise GembaError(f"{path}: no agent is declared; take the # from the lines of one example")
    if name is None and len(agents) > 1:
        raise UsageError(f"which agent? give --agent with one of {names}")
    for agent in agents:
        if name in (None, agent.name):
            return agent
    raise UsageError(f"{path}: no agent is named {name!r}; there is {names}")


def of_workspace(name: str | None) -> Agent:
    """The agent of that name, or the only one, in the nearest agents.toml.

    Raises UsageError, TomlInvalid; GembaError where there is none.
    """
    path = agents_path()
    if path is None:
        raise GembaError("no .gemba/agents.toml here or above; make one with gemba init")
    return choose(load(path), name, path)


def _checked(table: Mapping[str, Any]) -> tuple[tuple[Agent, ...], list[Wrong]]:
    wrong: list[Wrong] = [
        ((key,), f"unknown: {key}{meant(key, ['agent'])}; each agent is an [[agent]] table")
        for key in table
        if key != "agent"
    ]
    entries, problems = toml_file.entries(table, "agent")
    wrong += problems
    agents: list[Agent] = []
    for number, entry in enumerate(entries):
        here: Location = ("agent", number)
        if isinstance(entry, dict):
            wrong += [((*here, *location), what) for location, what in _across(entry)]
        agent, problems = toml_file.checked(Agent, entry, here)
        agents += [agent] if agent else []
        wrong += problems
    wrong += toml_file.twice(entries, "agent")
    return tuple(agents), wrong


def _across(entry: Mapping[str, Any]) -> Iterator[Wrong]:
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
