"""Which escalation or session a person means."""

from gemba_core.errors import NotFound
from gemba_core.index import Escalation, Index, Session


def find(index: Index, prefix: str) -> Escalation:
    """The escalation whose id, or alias, begins with that. Raises NotFound."""
    found = index.named(prefix) if prefix else []
    if prefix and not found:
        # Our ids are in lower case; only a caps lock has them otherwise.
        prefix = prefix.lower()
        found = index.named(prefix)
    if not found:
        raise NotFound(f"{prefix!r}: no such escalation; `gemba escalations list --all` shows them")
    exact = [item for item in found if item.id == prefix]
    if len(exact or found) > 1:
        told = ", ".join(f"{item.id} ({item.session_id})" for item in found)
        raise NotFound(f"{prefix!r}: more than one escalation begins with that: {told}")
    return (exact or found)[0]


def find_all(index: Index, prefixes: list[str]) -> list[Escalation]:
    """Each of them, once, in the order given. Raises NotFound."""
    found = [find(index, prefix) for prefix in prefixes]
    return list({(item.session_id, item.id): item for item in found}.values())


def as_it_stands(index: Index, session_id: str, escalation_id: str) -> Escalation:
    """That escalation as it is now. Raises NotFound where its log has gone meanwhile."""
    found = index.escalation(session_id, escalation_id)
    if found is None:
        raise NotFound(f"{escalation_id}: the log of its session, {session_id}, is gone")
    return found


def find_session(index: Index, session_id: str) -> Session:
    """The session of that id. Raises NotFound."""
    session = index.session(session_id)
    if session is None:
        raise NotFound(f"{session_id!r}: no such session; `gemba sessions list` shows them")
    return session


def whole_session_id(index: Index, prefix: str) -> str:
    """The id itself, else the only one that begins with it, else what was given.

    Raises NotFound where several begin with it.
    """
    found = index.sessions_named(prefix) if prefix else []
    if prefix in found or not found:
        return prefix
    if len(found) > 1:
        told = ", ".join(found)
        raise NotFound(f"{prefix!r}: more than one session begins with that: {told}")
    return found[0]
