"""The workspace's `.gemba/agents.toml`: which agents there are, and how each is started.

All problems are told at once, each with its line. The sentinels do not come
here: `settings` reads the one key that they need.
"""

import difflib
import os
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from gemba_core.errors import GembaError, UsageError
from gemba_core.processes import SHELLS

# The clients whose ways are known; any other program is its own kind.
CLIENTS = ("claude", "codex", "gemini")
SHELL = "shell-only"

# Seconds. What installed permission hooks may take at most, less what answering them takes.
MAX_PERMISSION_TIMEOUT = 570.0

Path: TypeAlias = tuple[str | int, ...]


def _words(value: object) -> object:
    try:
        return shlex.split(value) if isinstance(value, str) else value
    except ValueError as error:
        raise ValueError(f"not a command as a shell would read it: {error}") from error


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Word = Annotated[str, StringConstraints(min_length=1)]
# It becomes part of the session's id, and of the name of its log.
_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class Agent(BaseModel):
    """One `[[agent]]`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: _Name
    binary: _Word | None = None
    command: Annotated[tuple[_Word, ...], Field(min_length=1, strict=False)] | None = None
    args: Annotated[tuple[str, ...], Field(strict=False)] = ()
    model: _Text | None = None
    preamble: _Text | None = None
    hooks: bool = True
    interaction_mode: Literal["dangerous", "balanced", "cautious"] | None = None
    permissions: Literal["native", "inbox"] = "native"
    permission_timeout: Annotated[float, Field(gt=0, le=MAX_PERMISSION_TIMEOUT)] | None = None

    _split = BeforeValidator(_words)

    @model_validator(mode="after")
    def _has_one_program(self) -> "Agent":
        if (self.binary is None) == (self.command is None):
            raise ValueError("give either binary or command")
        if self.model is not None and self.client not in CLIENTS:
            raise ValueError(
                f"how {self.program[0]} takes a model is not known; put it into args instead"
            )
        return self

    @property
    def program(self) -> tuple[str, ...]:
        """The program and the words that belong to it, without args."""
        return self.command or (self.binary or "",)

    @property
    def client(self) -> str:
        """The kind of agent: a client that is known, `shell-only`, else the agent's name."""
        names = [os.path.basename(word) for word in self.program]
        known = next((name for name in names if name in CLIENTS), None)
        return known or (SHELL if names[0] in SHELLS else self.name)
