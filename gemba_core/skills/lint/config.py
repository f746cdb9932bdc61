"""A workspace's own choice of rules: `.gemba/lint.toml`, or `[tool.gemba.lint]` in pyproject.toml.

The nearest one at or above the folder counts; of two in one folder the first.
"""

import difflib
import os
import tomllib
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from gemba_core.errors import UsageError
from gemba_core.skills.lint.choice import chosen

_Texts = Annotated[tuple[str, ...], Field(strict=False)]


class Config(BaseModel):
    """What is linted and by which rules. `paths` and `exclude` are seen from the current folder."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    select: _Texts = ()
    ignore: _Texts = ()
    paths: _Texts = ()
    exclude: _Texts = ()


def load(folder: str) -> Config:
    """The configuration in force there. Raises UsageError that tells all that is wrong."""
    while True:
        for path, keys in (
            (os.path.join(folder, ".gemba", "lint.toml"), ()),
            (os.path.join(folder, "pyproject.toml"), ("tool", "gemba", "lint")),
        ):
            table = _table(path, keys) if os.path.isfile(path) else None
            if table is not None:
                return _checked(path, table)
        parent = os.path.dirname(folder)
        if parent == folder:
            return Config()
        folder = parent


def _table(path: str, keys: tuple[str, ...]) -> Any:
    """What the file holds under these keys; None where they are not there."""
    try:
        with open(path, "rb") as file:
            table: Any = tomllib.load(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; mend it there") from error
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _checked(path: str, table: object) -> Config:
    try:
        config = Config.model_validate(table)
        chosen(config.select, config.ignore)
    except ValidationError as error:
        said = "\n".join(f"{path}: {_said(one)}" for one in error.errors())
        raise UsageError(said) from error
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return config


def _said(error: ErrorDetails) -> str:
    """pydantic's finding in the words of the file, with what to do."""
    key = str(error["loc"][0]) if error["loc"] else "lint"
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, Config.model_fields, n=1)
        meant = f"did you mean {near[0]}?" if near else f"there is {', '.join(Config.model_fields)}"
        return f"unknown key {key}; {meant}"
    return f'{key}: {error["input"]!r}; write a list of texts, such as {key} = ["…"]'
