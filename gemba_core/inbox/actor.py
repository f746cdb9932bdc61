"""Who acts, and whether they may: an agent never answers itself.

A tripwire, not a wall: an agent runs as the same user on the same machine and
could hide its marks. It keeps an agent from answering by mistake or by habit.
"""

import os
from dataclasses import dataclass

import msgspec

from gemba_core import caller, home
from gemba_core.errors import Refused, UsageError
from gemba_core.frame.payload import ReplyTo
from gemba_core.frame.text import one_line
from gemba_core.index import Escalation, Index
from gemba_core.processes import ancestry, is_interactive_shell
from gemba_core.settings import agents_may_answer

_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Actor:
    """Who settles: `name` and `via` go on the record.

    `session_id` is the session that we run in, if any; `is_agent` whether an
    agent, not merely a person at that pane, is believed to act.
    """

    name: str
    via: str
    session_id: str | None = None
    is_agent: bool = False

    def check(self, escalation: Escalation) -> None:
        """Raise Refused unless this actor may settle that escalation."""
        if self.session_id is not None and escalation.session_id == self.session_id:
            raise Refused(
                f"{escalation.id}: asked in this very session ({self.session_id}); an agent never "
                "answers itself: answer from another terminal, outside the session"
            )
        if not self.is_agent:
            return
        allowed, problem = agents_may_answer(home.config_path())
        if escalation.source not in allowed:
            raise Refused(
                f"{escalation.id}: inside an agent's session a {escalation.source} is not "
                f"answered: answer from a terminal of your own, or list it in agents_may_answer "
                f"in {home.config_path()}" + (f" ({problem})" if problem else "")
            )


def actor(index: Index, name: str | None = None) -> Actor:
    """Who we are, derived exactly as the sentinels derive their session.

    A tmux pane alone makes an agent only where a session lives in it: operators
    work in tmux too. `name` is the operator's, else the login name counts.
    Raises UsageError for a name that is empty or longer than a line of 64
    characters, and Refused where an agent gives one.
    """
    session_id = caller.session_id()
    is_agent = bool(
        caller.session_id_is_given()
        or caller.agent_mark()
        or (session_id is not None and _lives_here(index, session_id))
    )
    if is_agent and name is not None:
        raise Refused("an agent acts in its session's name: leave --as out")
    if is_agent:
        return Actor(session_id or "agent", "agent", session_id, True)
    return Actor(caller.operator() if name is None else operator_name(name), "cli", session_id)


def operator_name(name: str) -> str:
    """The name as it goes on the record: one line of up to 64 characters. Raises UsageError."""
    if not name.strip() or len(name) > _LONGEST_NAME or name != one_line(name, _LONGEST_NAME):
        what = f"a name is one line of up to {_LONGEST_NAME} characters"
        raise UsageError(f"{one_line(name)!r}: {what}")
    return name


def _lives_here(index: Index, session_id: str) -> bool:
    """Whether that session has not ended, and its agent, where known, is the one that runs us."""
    folded = index.folded(session_id)
    if folded is None or folded[0].is_ended:
        return False
    reply_to = folded[0].reply_to
    agent = msgspec.json.decode(reply_to, type=ReplyTo).agent if reply_to else None
    if agent is None:
        return True
    return agent in ancestry(os.getpid()) and not is_interactive_shell(agent[0])
