"""`$name` in an answer that comes as no prompt: a waiting process prints it, or a hook in mid-turn.

Then no prompt hook expands it, so whoever hands the answer over brings the
guidance with it. Imported only where there is a dollar sign in the answer.
"""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemba_core import caller
from gemba_core.errors import GembaError
from gemba_core.skills import lead
from gemba_core.skills.lead import Lead
from gemba_core.skills.mentions.expand import expand

if TYPE_CHECKING:
    from gemba_core.journal import Journal
    from gemba_core.skills.skill import Skill

# Not less of the guidance than this, however long the answer is.
_LEAST = 600


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The skill that an answer mentions, and what the agent is told of it after the answer."""

    skill: "Skill"
    said: tuple[str, ...]
    guidance: str

    def lead(self, journal: "Journal") -> None:
        """Have it lead the rest of the turn. Where that cannot be written, it was told at least."""
        client = journal.state.client
        if client is None:
            return  # no hook of the agent has spoken: none would end it
        session_id, client_id = journal.session_id, client.session_id
        leading = Lead(self.skill.id, self.skill.tools, self.said)
        try:
            lead.begin(session_id, client_id, leading)
            lead.record(session_id, client_id, self.skill, caller.agent_type(default=""))
        except GembaError:
            pass  # the answer is with the agent, and that is what counts


def mentioned_in(text: str, *, limit: int) -> Mentioned | None:
    """The one skill that leads by this answer; both together within `limit` characters, about.

    0: no limit. Never raises: the answer goes out in any case.
    """
    try:
        found = expand(text, os.getcwd())
    except Exception:  # whatever is wrong with a skill, it is no reason to lose an answer
        return None
    if found.skill is None:
        return None
    guidance = found.guidance(max(_LEAST, limit - len(text)) if limit else None)
    # A path may hold what is no text; the answer must not fail by it when it is printed.
    printable = guidance.encode("utf-8", "replace").decode()
    return Mentioned(found.skill, found.said, printable)
