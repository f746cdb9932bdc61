"""What an agent is given: the prompt, the context files, the context data. Composed here alone.

`{{name}}` in a phase file is filled from the context data; only an identifier
directly between double braces counts. What phases have written stands as it is.
Source: spec 002, "Writing Phase Files".
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gemba_core.workflow.action import Spawn
from gemba_core.workflow.paths import NotThere
from gemba_core.workflow.site import Site

# Bytes. What is longer is no context that an agent reads.
MAX_FILE = 1 << 20

_NAME = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}")
_ENDING = """\
## How to end

What you print at the end becomes `{output}` in the workspace `{workspace}`, unless you write that
file yourself. When you are done, run this in your shell; it is what `respond_to_leader` means here:

    gemba workflow respond success "what you did, in one line"

When you cannot do it, run this instead, and print why:

    gemba workflow respond failed "what is missing"
"""


def fill(text: str, data: Mapping[str, Any]) -> str:
    """The text with each `{{name}}` that is in the data replaced, once; the others stand."""
    return _NAME.sub(lambda found: _said(data, found), text)


def names(text: str) -> tuple[str, ...]:
    """The names that the text has in double braces, in their order, each once."""
    return tuple(dict.fromkeys(found[1] for found in _NAME.finditer(text)))


def compose(spawn: Spawn, site: Site) -> str:
    """What the agent of that spawn is given. Raises Outside, NotThere."""
    parts = [spawn.prompt]
    if spawn.data:
        told = json.dumps(spawn.data, indent=2, ensure_ascii=False)
        parts.append(f"## Context data\n\n```json\n{told}\n```")
    for name in spawn.context_files:
        path = site.context_file(name)
        text = _read(name, path)
        if site.is_phase_file(path):
            text = fill(text, spawn.data)
        parts.append(_framed(name, text))
    parts.append(_ENDING.format(output=spawn.output_file, workspace=site.argument))
    return "\n\n".join(parts)


def missing(spawn: Spawn, site: Site) -> Iterator[str]:
    """What its agent would miss: context files, and each `{{name}}` in one that no data fills.

    Raises Outside.
    """
    for name in spawn.context_files:
        try:
            path = site.context_file(name)
            text = _read(name, path)
        except NotThere as error:
            yield str(error)
            continue
        unfilled = [one for one in names(text) if one not in spawn.data]
        for one in unfilled if site.is_phase_file(path) else ():
            yield f"{name}: {{{{{one}}}}} is not in the context_data of {spawn.output_file}"


def _said(data: Mapping[str, Any], found: re.Match[str]) -> str:
    name = found[1]
    if name not in data:
        return found[0]
    value = data[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _framed(name: str, text: str) -> str:
    """The file between marks that its own text does not hold."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"## File: {name}\n\n{fence}{os.path.splitext(name)[1][1:]}\n{text.rstrip()}\n{fence}"


def _read(name: str, path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise NotThere(f"context_files: {name}: {error.strerror}") from error
    if len(data) > MAX_FILE:
        raise NotThere(f"context_files: {name}: longer than 1 MiB; give the part that matters")
    return data.decode("utf-8", "replace")
