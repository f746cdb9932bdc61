"""Asking the state machine what to do next: it is run, and prints one action.

Source: spec 002, "Writing next-step.py".
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gemba_core.errors import GembaError
from gemba_core.home import make_private_dir
from gemba_core.workflow.action import Action, BadAction, checked, decoded
from gemba_core.workflow.process import Process
from gemba_core.workflow.site import Site

# Seconds. A machine looks at files; it does no work.
TIME_LIMIT = 60.0
# Characters of an action, and of each stream that an error shows.
_LONGEST = 1 << 20
_SHOWN = 2000


class MachineFault(GembaError):
    """The machine has said nothing that can be done; the text shows what it printed."""


def ask(
    site: Site,
    inherited: Mapping[str, str],
    *,
    begun: Callable[[Process], None],
    limit: float = TIME_LIMIT,
) -> tuple[Action, dict[str, Any]]:
    """The next action, and the object that was printed.

    `begun` is told of the process before that does anything.

    Runs in the project root, with the workspace as its argument. Raises
    MachineFault, GembaError where it cannot be run.
    """
    folder = os.path.join(site.own, "machine")
    make_private_dir(folder)
    printed, errors = Path(folder, "printed"), Path(folder, "errors")
    process = Process(
        [*site.skill.command(), site.argument],
        folder=site.skill.root,
        environment=inherited,
        stdin=os.devnull,
        stdout=str(printed),
        stderr=str(errors),
    )
    try:
        begun(process)
    except BaseException:
        process.end()
        raise
    process.go()
    code = process.wait(limit)
    why = _why_not(code, limit)
    if why is None:
        with printed.open(encoding="utf-8", errors="replace") as file:
            text = file.read(_LONGEST + 1)
        try:
            value = decoded(text)
            return checked(value), value
        except BadAction as error:
            why = str(error) if len(text) <= _LONGEST else "it printed more than an action"
    name = os.path.basename(site.skill.machine)
    raise MachineFault(
        f"{name} {site.argument}: {why}\n"
        f"{_shown('it printed', printed)}\n{_shown('on standard error', errors)}"
    )


def _why_not(code: int | None, limit: float) -> str | None:
    if code is None:
        return f"it did not end within {limit:g} s, and was ended"
    if code:
        return f"exit {code}" if code > 0 else f"ended by signal {-code}"
    return None


def _shown(what: str, path: Path) -> str:
    """The beginning and the end of what is there."""
    with path.open(encoding="utf-8", errors="replace") as file:
        text = file.read(_LONGEST).strip()
    if len(text) > _SHOWN:
        text = f"{text[: _SHOWN // 2]}\n[…]\n{text[-_SHOWN // 2 :]}"
    return f"{what}: {text or 'nothing'}"
