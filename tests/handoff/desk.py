"""`gemba handoff` as an orchestrator in its session calls it, and the operator's side."""

import json
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from tests.commands import run_cli
from tests.handoff.contracts import message

SESSION = {"GEMBA_SESSION_ID": "s1", "GEMBA_INTERACTION_MODE": "balanced"}


def handoff(
    *args: str | Path, env: Mapping[str, str] | None = None, input: str | bytes = ""
) -> CompletedProcess[str]:
    """Run it to its end in session s1; whatever happens, nobody sees a traceback."""
    done = run_cli("gemba", "handoff", *map(str, args), env={**SESSION, **(env or {})}, input=input)
    assert "Traceback" not in done.stderr
    return done


def told(*args: str | Path, code: int = 0, **more: Any) -> Any:
    """What it prints with `--json`, one value for each line; it ends with that code."""
    done = handoff(*args, "--json", **more)
    assert done.returncode == code, done.stderr
    values = [json.loads(line) for line in done.stdout.splitlines()]
    return values[0] if len(values) == 1 else values


def raised(given: object, *options: str) -> str:
    """The id of the one escalation that this message calls for."""
    [one] = told("raise", *options, input=message(given))["raised"]
    return str(one["id"])


def operator(*args: str, code: int = 0) -> CompletedProcess[str]:
    """`gemba escalations …`, outside any session."""
    done = run_cli("gemba", "escalations", *args)
    assert done.returncode == code, done.stderr
    return done
