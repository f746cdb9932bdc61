"""The gemba command as an operator types it."""

import json
from collections.abc import Mapping
from subprocess import CompletedProcess
from typing import Any

from tests.commands import run_cli


def gemba(
    *args: str, env: Mapping[str, str] | None = None, input: str | bytes = ""
) -> CompletedProcess[str]:
    """Run it to its end; whatever happens, nobody sees a traceback."""
    done = run_cli("gemba", *args, env=env, input=input)
    assert "Traceback" not in done.stderr
    return done


def escalations(
    *args: str, env: Mapping[str, str] | None = None, input: str = ""
) -> CompletedProcess[str]:
    """`gemba escalations ...`"""
    return gemba("escalations", *args, env=env, input=input)


def told(*args: str) -> Any:
    """What the command prints with `--json`, decoded; it must succeed."""
    done = gemba(*args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
