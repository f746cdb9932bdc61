"""What `run` and `resume` have in common: how a workflow is run, and how it ends."""

import shlex
import signal
import sys
from collections.abc import Callable
from typing import Any

import click

from gemba.completion import complete_agents
from gemba.output import warn
from gemba.workflow.show import showing
from gemba_core import agents
from gemba_core.errors import UsageError
from gemba_core.frame.vocabulary import MODES
from gemba_core.settings import seconds
from gemba_core.workflow.action import Action
from gemba_core.workflow.agent import remark
from gemba_core.workflow.journal import Tell
from gemba_core.workflow.loop import MAX_STEPS
from gemba_core.workflow.phase import Limits
from gemba_core.workflow.record import Concluded
from gemba_core.workflow.runner import Terms

EXIT_CODES = """\
Exit codes: 0 done; 1 failed, or another runner is at work there; 2 usage; 3 stopped:
a gate or a phase failed, or a person said no; 4 no such skill; 6 nobody has answered
yet; 130 interrupted. After all but 0, gemba workflow resume WORKSPACE goes on.
"""
_CODES = {"done": 0, "stopped": 3, "waiting": 6}
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_OPTIONS = (
    click.option(
        "--agent",
        metavar="NAME",
        shell_complete=complete_agents,
        help="Of .gemba/agents.toml; else its only one.",
    ),
    click.option("--mode", type=click.Choice(MODES), help="Instead of the agent's own."),
    click.option(
        "--max-parallel",
        type=click.IntRange(1, 64),
        default=Limits().most,
        show_default=True,
        help="Agents side by side.",
    ),
    click.option(
        "--max-steps",
        type=click.IntRange(1),
        default=MAX_STEPS,
        show_default=True,
        help="Steps before it is stopped.",
    ),
    click.option("--timeout", metavar="TIME", help="For each attempt of a phase; by default 1h."),
    click.option(
        "--patience",
        metavar="TIME",
        help="How long to wait for a person; else as long as it takes.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON."),
)


def with_terms(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a workflow is run."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def terms(
    *,
    agent: str | None,
    mode: str | None,
    max_parallel: int,
    max_steps: int,
    timeout: str | None,
    patience: str | None,
) -> Terms:
    """The options as the runner has them; a remark about the agent goes to standard error.

    Raises UsageError, GembaError.
    """
    limits = Limits(max_parallel, _time("--timeout", timeout, Limits().seconds))
    chosen = agents.of_workspace(agent)
    if (said := remark(chosen)) is not None:
        warn([said])
    return Terms(
        chosen,
        mode,
        limits,
        _time("--patience", patience, float("inf")),
        max_steps,
    )


def run_to_its_end(
    run: Callable[[Tell], Concluded],
    workspace: str,
    *,
    as_json: bool,
    pending: Action | None = None,
) -> None:
    """Show what happens, and leave by the exit code of its last word. Raises GembaError.

    `pending`: the order that it goes on with.
    """
    for number in _ENDING:
        # What nohup, or a shell in the background, has us ignore stays ignored.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    try:
        with showing(as_json=as_json, pending=pending) as tell:
            concluded = run(tell)
    except SystemExit:
        again = f"gemba workflow resume {shlex.quote(workspace)}"
        warn([f"interrupted; no agent of it runs any more; go on with {again}"])
        raise
    if not as_json:
        click.echo(f"{concluded.ended}.")
    if concluded.detail:
        warn([concluded.detail])
    sys.exit(_CODES[concluded.ended])


def _leave(number: int, _: Any) -> None:
    """Leave by an exception, so that no agent is left behind."""
    for one in _ENDING:
        if signal.getsignal(one) is _leave:
            signal.signal(one, _leave_already)
    sys.exit(128 + number)


def _leave_already(_: int, __: Any) -> None:
    """A second exception would leave what ends the agents; that takes a few seconds."""


def _time(option: str, given: str | None, usual: float) -> float:
    if given is None:
        return usual
    found = seconds(given)
    if found is None:
        raise UsageError(f"{option} {given!r}: give a time such as 90s, 10m or 2h")
    return found
