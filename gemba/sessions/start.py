"""`gemba sessions start`."""

import asyncio
import os
import sys

import click

from gemba.completion import complete_agents
from gemba.output import print_json, warn
from gemba.plane import agent_named, interruptible
from gemba.sessions.done import failure, json_option, print_session
from gemba.sessions.work import place, say_where
from gemba.work.plane import here
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.frame.text import shown_line
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.native import ledger
from gemba_core.orchestration.native.exits import exited
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.native.scope import agent_of
from gemba_core.orchestration.push import Push, pushed
from gemba_core.orchestration.session import Session, SessionPrompt, SessionStatus, too_long
from gemba_core.orchestration.work.dispatch import until_ended
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind

_NONE = "none"
# Seconds that a detached agent has to show that it can begin.
_FIRST_MOMENTS = 0.5
_KINDS = (WorkspaceKind.WORKTREE.value, WorkspaceKind.SUBPROCESS.value, _NONE)
_EPILOG = """\
Examples:

\b
  gemba sessions start --agent codex --prompt "Mend the failing test in tests/test_pay.py"
  gemba sessions start --agent claude --work gm-7 --detach
  gemba sessions start --agent codex --workspace none

It stays until the agent has ended, and ends the session when it is interrupted; with
--detach a process of its own keeps the session. Work that is not committed when it ends
is kept on its branch. `gemba work dispatch` claims the work item too.

\b
Exit codes: 0 the session has ended, or runs (--detach); 1 it, or its start, has failed;
2 usage; 4 no such agent.
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--agent",
    metavar="NAME",
    shell_complete=complete_agents,
    help="Of .gemba/agents.toml; else its only one.",
)
@click.option("--work", "item", metavar="ID", help="The work item that this session is about.")
@click.option("--prompt", "text", metavar="TEXT", help="What it is told; `-`: standard input.")
@click.option(
    "--workspace",
    "kind",
    type=click.Choice(_KINDS),
    default=_KINDS[0],
    show_default=True,
    help="A git worktree, an empty folder, or this very folder, unscoped.",
)
@click.option("--repository", metavar="PATH", help="Of the worktree; else the current folder's.")
@click.option("--branch", metavar="NAME", help="For the worktree; else gemba/ID.")
@click.option("--detach", is_flag=True, help="Print its id and leave it running.")
@json_option
def start(
    agent: str | None,
    item: str | None,
    text: str | None,
    kind: str,
    repository: str | None,
    branch: str | None,
    detach: bool,
    as_json: bool,
) -> None:
    """Start an agent in a pane and a workspace of its own."""
    if text == "-":
        text = sys.stdin.buffer.read(MAX_INPUT).decode("utf-8", "replace")
    why = too_long(text or "")
    if why:
        raise UsageError(f"--prompt: {why}")
    where = None if kind == _NONE else WorkspaceKind(kind)

    async def run() -> None:
        session: Session | None = None
        try:
            async with open_native(detach=detach) as plane:
                warn(one.line() for one in plane.recovered)
                if item is not None:
                    await _remark_on(item)
                whom = await agent_named(plane, agent)
                push = Push(
                    agent_id=whom.id,
                    work_item_id=item,
                    prompt=SessionPrompt(text=text),
                    kind=where,
                    repository=repository or os.getcwd(),
                    branch=branch,
                )
                session, workspace = await pushed(plane, push)
                _say(session, workspace, as_json, detach=detach)
                if not detach or await _ends_at_once(session.id):
                    await _see_out(plane, session.id, as_json)
        finally:
            # However it ended: what it has done is of use, or to be cleared away.
            if session is not None:
                say_where(session.id)

    interruptible(run(), "interrupted; the session has ended")


async def _remark_on(item: str) -> None:
    """A work item that nobody knows may be a slip of the hand; the session has it all the same."""
    try:
        await here().read(item)
    except GembaError as error:
        warn([f"--work {item}: {error}"])


async def _ends_at_once(session_id: str) -> bool:
    """Whether its agent ends in its first moments, as one does that is not logged in."""
    agent = agent_of(await asyncio.to_thread(ledger.read, session_id, "session"))
    if agent is not None:
        try:
            await asyncio.wait_for(exited(agent), _FIRST_MOMENTS)
        except TimeoutError:
            return False
    return True


async def _see_out(plane: OrchestrationPlaneAdaptor, session_id: str, as_json: bool) -> None:
    """Wait for its end, and say how it ended. Raises GembaError where it failed."""
    ended = await until_ended(plane, session_id)
    print_session(ended, as_json)
    if ended.status is SessionStatus.FAILED:
        raise failure(ended)


def _say(session: Session, workspace: Workspace | None, as_json: bool, *, detach: bool) -> None:
    if as_json:
        print_json(wire(session))
        return
    click.echo(shown_line(session.id, 200))
    if workspace is not None:
        click.echo(shown_line(f"It works in {place(workspace)}.", 600), err=True)
    click.echo(f"See it with: gemba sessions attach {shown_line(session.id, 200)}", err=True)
    if not detach:
        click.echo("End it with Ctrl-C.", err=True)
