"""What a state machine may ask for: one JSON object, checked where it comes in.

Source: spec 002, "Action Types"; `spawn_many`, `ask`, `attempts` and `timeout` are ours.
"""

import os
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from gemba_core.errors import GembaError
from gemba_core.frame.text import deliverable, shown_line
from gemba_core.settings import seconds
from gemba_core.toml_file import Text

MOST_ATTEMPTS = 10
MOST_SPAWNS = 200
# Seconds: a year.
_LONGEST = 365 * 86400.0


class BadAction(GembaError):
    """What was printed is no action."""


def _seconds(value: object) -> object:
    """A number of seconds, or a text such as 90s, 10m, 2h."""
    if isinstance(value, str):
        found = seconds(value)
        if found is None:
            raise ValueError(f"{value!r} is no time such as 90s, 10m or 2h")
        return found
    return value


# Each file by one name: ./a.md is a.md.
_Output = Annotated[Text, AfterValidator(os.path.normpath)]
_Seconds = Annotated[float, Field(gt=0, le=_LONGEST), BeforeValidator(_seconds)]


def _option(value: object) -> object:
    """A bare text is its own label."""
    return {"value": value} if isinstance(value, str) else value


class _Shape(BaseModel):
    # A key that we do not know is somebody else's: a machine may print more than we need.
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Spawn(_Shape):
    """Run an agent. `timeout` is in seconds, for each attempt."""

    type: Literal["spawn"] = "spawn"
    prompt: Text
    context_files: Annotated[tuple[str, ...], Field(strict=False)] = ()
    context_data: dict[str, Any] | None = None
    output_file: _Output
    attempts: Annotated[int, Field(ge=1, le=MOST_ATTEMPTS)] = 1
    timeout: _Seconds | None = None

    @property
    def data(self) -> dict[str, Any]:
        """`context_data`, empty where none is given."""
        return self.context_data or {}


class SpawnMany(_Shape):
    """Run several agents side by side, each with an output of its own."""

    type: Literal["spawn_many"]
    spawns: Annotated[tuple[Spawn, ...], Field(strict=False, min_length=1, max_length=MOST_SPAWNS)]

    @model_validator(mode="after")
    def _outputs_differ(self) -> "SpawnMany":
        names = [one.output_file for one in self.spawns]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two of the spawns have the output_file {twice!r}")
        return self


class Option(_Shape):
    """One choice of an `ask`."""

    value: Text
    label: Text | None = None


class Ask(_Shape):
    """Ask a person; the answer goes to `output_file`. `deadline` is in seconds from the asking."""

    type: Literal["ask"]
    text: Text
    title: Text | None = None
    options: Annotated[
        tuple[Annotated[Option, BeforeValidator(_option)], ...], Field(strict=False)
    ] = ()
    default: Text | None = None
    deadline: _Seconds | None = None
    output_file: _Output

    @model_validator(mode="after")
    def _default_is_an_option(self) -> "Ask":
        values = [deliverable(one.value) for one in self.options]
        if len(set(values)) < len(values):
            raise ValueError("two options have the same value")
        if self.default is not None and values and deliverable(self.default) not in values:
            raise ValueError(f"default {self.default!r} is none of the options")
        return self


class GateFailed(_Shape):
    """What was to be there is not: go no further."""

    type: Literal["gate_failed"]
    reason: Text


class Continue(_Shape):
    """Nothing to do but to ask again."""

    type: Literal["continue"]


class Done(_Shape):
    """The skill is complete."""

    type: Literal["done"]


Action: TypeAlias = Spawn | SpawnMany | Ask | GateFailed | Continue | Done

TYPES = ("spawn", "spawn_many", "ask", "gate_failed", "continue", "done")
_adapter: TypeAdapter[Action] = TypeAdapter(Annotated[Action, Field(discriminator="type")])


def decoded(printed: str) -> dict[str, Any]:
    """The one JSON object that was printed, with nothing beside it. Raises BadAction."""
    try:
        return msgspec.json.decode(printed, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadAction(f"not one JSON object: {error}") from error


def checked(value: dict[str, Any]) -> Action:
    """The action that the decoded object is. Raises BadAction."""
    kind = value.get("type")
    if kind not in TYPES:
        named = "no type" if kind is None else f"unknown type {shown_line(str(kind))!r}"
        raise BadAction(f"{named}; there is {', '.join(TYPES)}")
    try:
        return _adapter.validate_python(value)
    except ValidationError as error:
        said = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()
        )
        raise BadAction(said) from error


def spawns_of(action: Action) -> tuple[Spawn, ...]:
    """The agents that the action runs, in its order."""
    if isinstance(action, SpawnMany):
        return action.spawns
    return (action,) if isinstance(action, Spawn) else ()


def outputs_of(action: Action) -> tuple[str, ...]:
    """The files that the action writes, in its order."""
    if isinstance(action, Ask):
        return (action.output_file,)
    return tuple(spawn.output_file for spawn in spawns_of(action))
