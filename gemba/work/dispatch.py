"""`gemba work dispatch`."""

import os

import click

from gemba.completion import complete_agents
from gemba.output import print_json, warn
from gemba.plane import adaptor_option, agent_named, interruptible
from gemba.sessions.done import failure
from gemba.sessions.work import place, say_where
from gemba.work.filters import filtering
from gemba.work.plane import here, say
from gemba_core.errors import GembaError, NotFound
from gemba_core.frame.text import shown_line
from gemba_core.orchestration.adaptors import find
from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.session import Session, SessionStatus
from gemba_core.orchestration.work.dispatch import Dispatched, dispatched, until_ended
from gemba_core.orchestration.work.item import StateCategory, WorkItem
from gemba_core.orchestration.work.lost import settle_lost
from gemba_core.orchestration.work.report import pass_on
from gemba_core.orchestration.workspace import WorkspaceKind

_EPILOG = """\
Examples:

\b
  gemba work dispatch
  gemba work dispatch --agent codex --label payments --priority 1

It stays until the agent's session has ended; interrupted, it ends the session, and the item is
ready again. Whether the work is done, the agent says with gemba work done, or you.

\b
Exit codes: 0 the session has ended; 1 failed, and the item is ready again; 2 usage;
4 nothing is ready, or no such agent or adaptor.
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--agent",
    metavar="NAME",
    shell_complete=complete_agents,
    help="Who gets it; else the only one that there is.",
)
@adaptor_option
@click.option(
    "--workspace",
    type=click.Choice([str(kind) for kind in WorkspaceKind]),
    help="The kind that it works in; else the adaptor's default.",
)
@filtering
@click.option("--json", "as_json", is_flag=True, help="Two lines: started, and ended.")
def dispatch(
    agent: str | None, adaptor: str, workspace: str | None, filter: ReadyFilter, as_json: bool
) -> None:
    """Give the next ready work item to an agent, and wait for it."""
    kind = WorkspaceKind(workspace) if workspace else None
    run = _dispatch(adaptor, agent, kind, filter, as_json)
    interruptible(run, "interrupted; what was claimed is ready again")


async def _dispatch(
    adaptor: str, agent: str | None, kind: WorkspaceKind | None, filter: ReadyFilter, as_json: bool
) -> None:
    work = here()
    async with find(adaptor)() as plane:
        claimant = await agent_named(plane, agent)
        for lost in await settle_lost(plane, work):
            warn([f"{lost.id}: whoever dispatched it is gone; it is {lost.status}"])
        session: Session | None = None
        try:
            async with dispatched(
                plane, work, claimant=claimant, repository=os.getcwd(), filter=filter, kind=kind
            ) as at_work:
                if at_work is None:
                    raise NotFound("nothing is ready; see gemba work list")
                session = at_work.session
                _say_started(at_work, claimant, as_json)
                session = await until_ended(plane, session.id)
                item = await pass_on(work, at_work.item, session.id)
                is_done = item.state_category is StateCategory.DONE
                if session.status is SessionStatus.FAILED and not is_done:
                    raise GembaError(f"{failure(session)}; {item.id} is ready again")
        finally:
            # However it ended: what it has done is of use, or to be cleared away.
            if session is not None:
                say_where(session.id)
    if as_json:
        print_json({"state": "ended", "item": item, "session": session})
    elif is_done:
        say(item)
    if not is_done:
        warn([_undecided(claimant, item)])


def _undecided(claimant: AgentRef, item: WorkItem) -> str:
    return (
        f"{claimant.name} has ended without saying that {item.id} is done. "
        f"Done: gemba work done {item.id}. Not done: gemba work release {item.id}."
    )


def _say_started(at_work: Dispatched, claimant: AgentRef, as_json: bool) -> None:
    warn(f"{one.message}; it is passed over" for one in at_work.skipped)
    if as_json:
        print_json(
            {
                "state": "started",
                "item": at_work.item,
                "session": at_work.session,
                "workspace": at_work.workspace,
            }
        )
        return
    click.echo(shown_line(f"{at_work.item.id}: {at_work.item.title}", 300))
    where = place(at_work.workspace)
    click.echo(shown_line(f"{claimant.name} works on it: {at_work.session.id} in {where}", 600))
