"""Which files a workflow may read and write: what counts is where a path really lies."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gemba_core.errors import GembaError

# The runner's own folder within a workspace.
OWN = ".workflow"


class Outside(GembaError):
    """A path leads to where the workflow may not read or write."""


class NotThere(GembaError):
    """A context file does not exist, or cannot be read."""


@contextmanager
def naming(path: str) -> Iterator[None]:
    """What the system refuses meanwhile is told as a GembaError that names the path."""
    try:
        yield
    except OSError as error:
        raise GembaError(f"{path}: {error.strerror or error}") from error


def is_within(path: str, folder: str) -> bool:
    """Whether the path, links resolved, is that folder or lies below it."""
    real, around = os.path.realpath(path), os.path.realpath(folder)
    return real == around or real.startswith(os.path.join(around, ""))


def readable(name: str, bases: Sequence[str], allowed: Sequence[str]) -> str:
    """The context file of that name, relative to the first of `bases` that has it; its real path.

    Raises Outside where it lies in none of the `allowed` folders, NotThere.
    """
    if "\0" in name:
        raise Outside(f"context_files: {name!r} is no path")
    candidates = [os.path.join(base, name) for base in bases]
    found = next((path for path in candidates if os.path.lexists(path)), candidates[0])
    real = os.path.realpath(found)
    if not any(is_within(real, folder) for folder in allowed):
        raise Outside(
            f"context_files: {name}: it lies at {real}, outside of the project and the workspace"
        )
    if not os.path.isfile(real):
        raise NotThere(f"context_files: {name}: no such file below {bases[0]}")
    return real


def writable(name: str, workspace: str) -> str:
    """Where the output of that name goes, within the workspace; links of its folder resolved.

    Raises Outside for what lies elsewhere, belongs to the runner, or is there and no file.
    """
    around = os.path.realpath(workspace)
    if "\0" in name:
        raise Outside(f"output_file: {name!r} is no path")
    path = os.path.join(around, name)
    real = os.path.realpath(path)
    if real == around or not is_within(real, around):
        raise Outside(f"output_file: {name}: it lies at {real}, outside of the workspace {around}")
    if is_within(real, os.path.join(around, OWN)):
        raise Outside(f"output_file: {name}: {OWN} is the runner's own")
    if os.path.exists(real) and not os.path.isfile(real):
        raise Outside(f"output_file: {name} is there already, and is no file; move it away")
    return real
