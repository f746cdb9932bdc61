"""Running a workflow in its workspace: begun, or taken up where the last runner ended.

One runner at a time: a lock in the workspace says that it lives.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from gemba_core import caller
from gemba_core.agents import Agent
from gemba_core.errors import GembaError, LogError
from gemba_core.launch import compose
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.workflow import session
from gemba_core.workflow.history import History, history
from gemba_core.workflow.journal import Journal, Tell, read
from gemba_core.workflow.loop import MAX_STEPS, Crew, Loop
from gemba_core.workflow.person import Operator
from gemba_core.workflow.phase import Equipment, Limits
from gemba_core.workflow.phases import AgentPhases
from gemba_core.workflow.record import Begun, Concluded, Resumed
from gemba_core.workflow.site import Site, journal_path, lock_path
from gemba_core.workflow.skill import Scripted


@dataclass(frozen=True, slots=True)
class Terms:
    """How a workflow is run. `patience`: seconds that a person has to answer; inf: any time.

    `mode`: instead of the agent's own, or that of the environment.
    """

    agent: Agent
    mode: str | None = None
    limits: Limits = field(default_factory=Limits)
    patience: float = float("inf")
    max_steps: int = MAX_STEPS


def begin(site: Site, terms: Terms, tell: Tell) -> Concluded:
    """Run the skill in that workspace, which is made if need be; the last word.

    Raises GembaError where a workflow has been begun there before, another
    runner is at work, the machine is at fault, or the agent cannot be started.
    """
    mode = _mode(terms)
    site.make()
    with _at_work(site.workspace), Journal(site.journal, tell) as journal:
        past = journal.history
        if past.begun is not None:
            raise GembaError(
                f"{site.workspace}: "
                + (
                    f"{past.begun.skill} is done here; choose another workspace"
                    if past.finished
                    else f"{past.begun.skill} has begun here; go on with "
                    f"gemba workflow resume {site.workspace}"
                )
            )
        skill = site.skill
        journal.append(
            Begun(
                skill.name,
                skill.folder,
                skill.machine,
                skill.root,
                site.argument,
                f"workflow-{skill.name}-{os.urandom(4).hex()}",
                terms.agent.name,
            )
        )
        return _run(site, journal, terms, mode)


def resume(workspace: str, terms: Terms, tell: Tell) -> Concluded:
    """Go on in that workspace, as `begin`. Done already: says so again, and does nothing.

    Raises GembaError for a workspace that was moved: what is pending names the old one.
    """
    mode = _mode(terms)
    with _at_work(workspace), Journal(journal_path(workspace), tell) as journal:
        begun = begun_in(workspace, journal.history)
        if journal.history.finished is not None:
            return journal.history.finished
        place = os.path.join(begun.root, begun.argument)
        if os.path.realpath(place) != os.path.realpath(workspace):
            raise GembaError(
                f"{workspace}: it began as {place}, which its machine and agents go by; "
                "move it back there, or leave a link to it"
            )
        skill = Scripted(begun.skill, begun.folder, begun.machine, begun.root)
        journal.append(Resumed())
        return _run(Site(skill, workspace, begun.argument), journal, terms, mode)


def standing(workspace: str) -> tuple[History, bool]:
    """What is on the record of that workspace, and whether a runner is at work there.

    Raises GembaError.
    """
    past = history(read(journal_path(workspace)))
    begun_in(workspace, past)
    return past, is_held(lock_path(workspace))


def begun_in(workspace: str, past: History) -> Begun:
    """What was begun there. Raises GembaError where nothing was."""
    if past.begun is None:
        raise GembaError(f"{workspace}: no workflow has begun here; see gemba workflow run --help")
    return past.begun


@contextmanager
def _at_work(workspace: str) -> Iterator[None]:
    if not os.path.isdir(os.path.dirname(lock_path(workspace))):
        raise GembaError(f"{workspace}: no workflow has begun here; see gemba workflow run --help")
    with LifeLock(lock_path(workspace)) as lock:
        if not lock.take():
            raise GembaError(
                f"{workspace}: another runner is at work here; "
                f"gemba workflow status {workspace} says what it does"
            )
        yield


def _mode(terms: Terms) -> str:
    """The mode of all its agents. Raises GembaError where their program is not found."""
    return compose(terms.agent, caller.environment(), mode=terms.mode).mode


def _run(site: Site, journal: Journal, terms: Terms, mode: str) -> Concluded:
    begun = begun_in(site.workspace, journal.history)
    inherited = caller.environment()
    phases = AgentPhases(Equipment(site, terms.agent, journal, inherited, mode, terms.limits))
    person = Operator(begun.session, mode=mode, patience=terms.patience)
    session.report(begun.session, "working", f"{begun.skill} in {site.workspace}")
    try:
        loop = Loop(
            site, journal, Crew(phases, person), inherited=inherited, max_steps=terms.max_steps
        )
        concluded = loop.run()
    except BaseException as error:
        why = str(error) if isinstance(error, GembaError | OSError) else "interrupted"
        # A log that fails too must not hide what went wrong.
        with suppress(LogError):
            session.report(begun.session, "stalled", why)
        raise
    if concluded.ended == "done":
        session.end(begun.session)
    else:
        state = "prompting" if concluded.ended == "waiting" else "stalled"
        session.report(begun.session, state, concluded.detail)
    return concluded
