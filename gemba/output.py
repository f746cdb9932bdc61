"""What commands print beside tables: JSON on standard output, remarks on standard error."""

import os
import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

from gemba_core.frame.text import shown


def print_json(value: Any) -> None:
    """One line of JSON."""
    write(msgspec.json.encode(value) + b"\n")


def write(data: bytes) -> None:
    """Bytes to standard output; a reader that left early is no error."""
    if sys.stdout is None:
        return  # closed, and as click.echo does it
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Else the interpreter complains once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)


def warn(problems: Iterable[str]) -> None:
    """Remarks that the person should see, one a line; what logs say in them is shown inert."""
    for problem in problems:
        click.echo(f"gemba: {shown(problem)}", err=True)
