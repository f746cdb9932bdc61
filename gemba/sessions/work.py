"""Where a session works, and where its work is once it has ended."""

import click

from gemba_core.frame.text import shown_line
from gemba_core.inbox.opened import use_index
from gemba_core.index import Session
from gemba_core.orchestration.workspace import Workspace


def place(workspace: Workspace) -> str:
    """Its folder, and its branch if it has one."""
    branch = f", on the branch {workspace.branch}" if workspace.branch else ""
    return f"{workspace.worktree_path or workspace.id}{branch}"


def say_where(session_id: str) -> None:
    """On standard error, if there is anything to say."""
    session = on_record(session_id)
    told = where(session) if session is not None else ""
    if told:
        click.echo(f"Its work: {told}", err=True)


def on_record(session_id: str) -> Session | None:
    """What its log says of it; None where its adaptor writes none."""
    return use_index(lambda index: index.session(session_id))


def where(session: Session) -> str:
    """In words; empty while it works, and where it had no worktree."""
    place = session.workspace
    if place is None or place.kind != "worktree" or place.path is not None:
        return ""
    told = [f"on {', '.join(place.branches)}"] if place.branches else []
    if place.kept is not None:
        told.append(f"{'the rest' if told else 'on no branch, but'} in {place.kept}")
    return shown_line("; ".join(told) or "nothing: it changed no file", 400)
