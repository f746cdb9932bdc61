"""`gemba workflow status`."""

import os
import shlex

import click

from gemba.output import print_json, write
from gemba_core.frame.text import shown_line
from gemba_core.workflow.history import History
from gemba_core.workflow.record import Begun
from gemba_core.workflow.runner import begun_in, standing
from gemba_core.workflow.session import escalation_in

_EPILOG = """\
Example: gemba workflow status planning/caching --json

\b
Exit codes: 0 shown, whatever it says; 1 no workflow has begun there; 2 usage.
"""


@click.command(epilog=_EPILOG)
@click.argument("workspace", type=click.Path(file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="One object (docs/cli.md).")
def status(workspace: str, as_json: bool) -> None:
    """How the workflow in that workspace stands."""
    path = os.path.abspath(workspace)
    past, is_at_work = standing(path)
    begun = begun_in(path, past)
    state = _state(past, begun, is_at_work)
    told: dict[str, object] = {
        "skill": begun.skill,
        "workspace": path,
        "session": begun.session,
        "agent": begun.agent,
        "state": state,
        "runner": "at work" if is_at_work else "none",
        "detail": past.concluded.detail if past.concluded and state != "answered" else None,
        "next": _next(past, state, workspace, is_at_work),
        "step": past.step,
        "action": past.action.type if past.action else None,
        "remaining": [spawn.output_file for spawn in past.remaining.values()],
        "escalation": past.consulted.escalation if past.consulted else None,
        "waits_for": past.consulted.text if past.consulted and state == "waiting" else None,
    }
    if as_json:
        print_json(told)
        return
    lines = [f"{name:<11}{shown_line(_said(value), 160)}" for name, value in told.items() if value]
    write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _state(past: History, begun: Begun, is_at_work: bool) -> str:
    """One word for it; `interrupted`: its runner has died, or was ended."""
    ended = past.concluded.ended if past.concluded else "interrupted"
    if past.consulted is not None and ended in ("interrupted", "waiting"):
        asked = escalation_in(begun.session, past.consulted.escalation)
        is_open = asked is None or asked.state == "open"
        return "waiting" if is_open else "answered"
    return "running" if is_at_work else ended


def _next(past: History, state: str, workspace: str, is_at_work: bool) -> str | None:
    """What the person may do, if anything."""
    if state == "waiting" and past.consulted is not None:
        return f"gemba escalations respond {past.consulted.escalation}"
    if is_at_work or state == "done":
        return None
    return f"gemba workflow resume {shlex.quote(workspace)}"
